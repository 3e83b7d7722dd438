package io.spillway.agent.gate;

import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Whether an image comes from where a cluster lets images come from. */
final class Images {
  private static final String WORD = "[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*";

  /** host[:port]/path[:tag][@digest], as the distribution project writes it. */
  private static final Pattern REFERENCE =
      Pattern.compile(
          "(?:([A-Za-z0-9.-]+(?::\\d{1,5})?)/)?("
              + WORD
              + "(?:/"
              + WORD
              + ")*)(?::[A-Za-z0-9_][A-Za-z0-9._-]{0,127})?(?:@[a-z0-9]+:[a-f0-9]{32,128})?");

  private Images() {}

  static Shape from(List<String> registries) {
    return Shape.text(
        image -> allowed(registries, image), "an image from a registry that is not allowed");
  }

  private static boolean allowed(List<String> registries, String image) {
    Matcher reference = REFERENCE.matcher(image);
    if (image.length() > 512 || !reference.matches()) {
      return false;
    }
    String first = reference.group(1) == null ? "" : reference.group(1);
    String lower = first.toLowerCase(Locale.ROOT);
    // Without a dot, a port or a capital the first word is no host: "library/ubuntu" is Docker
    // Hub's.
    boolean host =
        first.contains(".")
            || first.contains(":")
            || first.equals("localhost")
            || !first.equals(lower);
    String registry = host ? lower : "docker.io";
    String path = host || first.isEmpty() ? reference.group(2) : first + "/" + reference.group(2);
    boolean pause = registry.equals(GateRules.PAUSE_REGISTRY) && path.equals("pause");
    return pause || registries.stream().anyMatch(rule -> fits(rule, registry, path));
  }

  private static boolean fits(String rule, String registry, String path) {
    int slash = rule.indexOf('/');
    String host = slash < 0 ? rule : rule.substring(0, slash);
    String prefix = slash < 0 ? "" : rule.substring(slash + 1);
    boolean below =
        prefix.isEmpty()
            || path.equals(prefix)
            || path.startsWith(prefix.endsWith("/") ? prefix : prefix + "/");
    return below && (host.equals("*") || host.equals(registry));
  }
}
