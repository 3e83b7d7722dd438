package io.spillway.scheduler.model;

/** The syntax shared by every name that ends up in Kubernetes (RFC 1123 label). */
public final class DnsLabel {
  private static final int MAX_LENGTH = 63;

  private DnsLabel() {}

  /** Whether the text is a DNS label: 1 to 63 characters of {@code a-z0-9-}, no dash at an end. */
  public static boolean isValid(String text) {
    if (text.isEmpty() || text.length() > MAX_LENGTH) {
      return false;
    }
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      boolean alphanumeric = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
      boolean innerDash = c == '-' && i > 0 && i < text.length() - 1;
      if (!alphanumeric && !innerDash) {
        return false;
      }
    }
    return true;
  }

  static void require(String what, String text) {
    if (!isValid(text)) {
      throw new IllegalArgumentException(
          what + " must be a DNS label (1-63 of a-z, 0-9, -), but is '" + text + "'");
    }
  }
}
