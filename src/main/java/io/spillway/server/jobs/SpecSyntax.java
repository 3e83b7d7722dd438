package io.spillway.server.jobs;

import io.spillway.scheduler.model.DnsLabel;
import io.spillway.scheduler.model.GpuModel;
import io.spillway.server.json.Texts;
import java.util.Locale;
import java.util.function.Function;
import java.util.regex.Pattern;

/**
 * The syntax of single texts of a job. Each method returns its argument or throws {@link
 * IllegalArgumentException} with what is expected.
 */
final class SpecSyntax {
  private static final Pattern ENV = Pattern.compile("[A-Za-z_][A-Za-z0-9_]{0,127}");
  // Reference grammar of the OCI distribution specification: host, path, tag, digest.
  private static final Pattern IMAGE =
      Pattern.compile(
          "(?:[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?(?::\\d{1,5})?/)?"
              + "[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*"
              + "(?:/[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*)*"
              + "(?::[A-Za-z0-9_][A-Za-z0-9_.-]{0,127})?(?:@[a-z0-9]+:[a-f0-9]{32,128})?");
  private static final Pattern SUBDOMAIN =
      Pattern.compile("[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)*");
  private static final Pattern SECRET_KEY = Pattern.compile("[-._A-Za-z0-9]{1,253}");
  private static final Pattern BUCKET = Pattern.compile("[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]");
  private static final Pattern REGION = Pattern.compile("[a-zA-Z0-9][a-zA-Z0-9._-]{0,62}");
  private static final Pattern LABEL_PART =
      Pattern.compile("[A-Za-z0-9](?:[A-Za-z0-9_.-]{0,61}[A-Za-z0-9])?");
  private static final Pattern PREFIX = Pattern.compile("[\\w!.*'()/-][\\w!.*'()/ =+@,:-]{0,1023}");

  private SpecSyntax() {}

  static String dnsLabel(String text) {
    return require(
        DnsLabel.isValid(text), text, "must be a DNS label (1-63 of a-z, 0-9, -; no - at an end)");
  }

  static String env(String text) {
    require(ENV.matcher(text).matches(), text, "must be a name of letters, digits and _");
    return require(
        !text.startsWith("SPILLWAY_"), text, "begins with SPILLWAY_, which Spillway sets itself");
  }

  static String image(String text) {
    return require(IMAGE.matcher(text).matches(), text, "must be an image reference");
  }

  static String subdomain(String text) {
    return require(SUBDOMAIN.matcher(text).matches(), text, "must be a DNS subdomain");
  }

  static String secretKey(String text) {
    return require(SECRET_KEY.matcher(text).matches(), text, "must be of letters, digits, -, _, .");
  }

  static String bucket(String text) {
    return require(BUCKET.matcher(text).matches(), text, "must be a bucket name");
  }

  static String prefix(String text) {
    boolean inside = !("/" + text + "/").contains("/../") && !text.startsWith("/");
    return require(
        text.isEmpty() || (PREFIX.matcher(text).matches() && inside), text, "must be a key prefix");
  }

  static String region(String text) {
    return require(REGION.matcher(text).matches(), text, "must be a region's name");
  }

  static String provider(String text) {
    return require(DnsLabel.isValid(text), text, "must be a provider's name");
  }

  static String labelValue(String text) {
    return require(
        text.isEmpty() || LABEL_PART.matcher(text).matches(),
        text,
        "must be a label value (at most 63 of letters, digits, -, _, .; letter or digit at the"
            + " ends)");
  }

  /** A Kubernetes label key; {@code spillway.io/} is ours. */
  static String labelKey(String text) {
    int slash = text.indexOf('/');
    boolean prefixed = slash > 0 && SUBDOMAIN.matcher(text.substring(0, slash)).matches();
    boolean valid =
        (slash < 0 || prefixed) && LABEL_PART.matcher(text.substring(slash + 1)).matches();
    require(valid, text, "must be a label key ([domain/]name)");
    return require(!text.startsWith("spillway.io/"), text, "is Spillway's own domain");
  }

  static String mountPath(String text) {
    boolean clean =
        text.startsWith("/")
            && text.length() > 1
            && !(text + "/").contains("/../")
            && !(text + "/").contains("/./")
            && !text.contains("//")
            && text.chars().allMatch(c -> c > ' ' && c != ':' && c != '\\' && c < 127);
    require(clean, text, "must be an absolute path without .., spaces or :");
    String first = (text + "/").substring(1, (text + "/").indexOf('/', 1));
    boolean reserved =
        switch (first) {
          case "spillway", "proc", "sys", "dev" -> true;
          default -> false;
        };
    return require(!reserved, text, "lies under a path that the system keeps");
  }

  /** A known model; else the nearest names are told. */
  static GpuModel gpu(String text) {
    return GpuModel.of(text)
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "'"
                        + Texts.printable(text, 60)
                        + "' is not a known GPU model; nearest: "
                        + String.join(", ", GpuModel.nearest(Texts.printable(text, 60)))));
  }

  /** One of an enum's constants by its text. */
  static <E extends Enum<E>> Function<String, E> oneOf(Class<E> type, Function<E, String> textOf) {
    return text -> {
      StringBuilder expected = new StringBuilder();
      for (E constant : type.getEnumConstants()) {
        if (textOf.apply(constant).equals(text)) {
          return constant;
        }
        expected.append(expected.isEmpty() ? "" : ", ").append(textOf.apply(constant));
      }
      throw new IllegalArgumentException(
          "must be one of " + expected + ", not '" + Texts.printable(text, 40) + "'");
    };
  }

  /** An enum constant's name as the API writes it. */
  static String lower(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  private static String require(boolean valid, String text, String expected) {
    if (!valid) {
      throw new IllegalArgumentException(expected + ", not '" + Texts.printable(text, 60) + "'");
    }
    return text;
  }
}
