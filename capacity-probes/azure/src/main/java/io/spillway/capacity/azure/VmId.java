package io.spillway.capacity.azure;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The resource id of a virtual machine, alone or in a scale set. Azure's own services spell the
 * same id in different cases; ids are compared without regard to it.
 *
 * @param subscription lower case
 * @param group the resource group as it came
 * @param path from {@code Microsoft.Compute} on, in Azure's spelling
 */
record VmId(String subscription, String group, String path) {
  private static final Pattern VM =
      Pattern.compile(
          "/subscriptions/([^/]+)/resourceGroups/([^/]+)/providers/Microsoft\\.Compute/"
              + "(?:virtualMachineScaleSets/([^/]+)/)?virtualMachines/([^/]+)",
          Pattern.CASE_INSENSITIVE);

  /** Empty for any other resource; what stands behind the machine in the id is left out. */
  static Optional<VmId> of(String resourceId) {
    Matcher found = VM.matcher(resourceId);
    if (!found.lookingAt()) {
      return Optional.empty();
    }
    boolean shouted = resourceId.equals(resourceId.toUpperCase(Locale.ROOT));
    String scaleSet = found.group(3);
    String name = found.group(4);
    return Optional.of(
        new VmId(
            found.group(1).toLowerCase(Locale.ROOT),
            shouted ? found.group(2).toLowerCase(Locale.ROOT) : found.group(2),
            "Microsoft.Compute/"
                + (scaleSet == null
                    ? ""
                    : "virtualMachineScaleSets/" + (shouted ? lower(scaleSet) : scaleSet) + "/")
                + "virtualMachines/"
                + (shouted ? lower(name) : name)));
  }

  private static String lower(String text) {
    return text.toLowerCase(Locale.ROOT);
  }

  /**
   * {@code azure:///subscriptions/…}, as the cloud provider of Kubernetes writes it: the resource
   * group in lower case, and as it came.
   */
  List<String> asNodesNameIt() {
    Set<String> spellings = new LinkedHashSet<>();
    for (String spelling : List.of(lower(group), group)) {
      spellings.add(
          "azure:///subscriptions/"
              + subscription
              + "/resourceGroups/"
              + spelling
              + "/providers/"
              + path);
    }
    return List.copyOf(spellings);
  }
}
