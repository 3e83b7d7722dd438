package io.spillway.server.gateway;

/** Text from a cluster, which its users can write: sized, and without control characters. */
final class AgentText {
  static final int MESSAGE = 1_024;

  /**
   * Names of Kubernetes are at most 253 characters long, but node names stand behind a
   * subscription, a resource group, a scale set and an instance in Azure's provider ids.
   */
  static final int NAME = 1_024;

  private AgentText() {}

  /** The text with control and lone surrogate characters as spaces, at most that long. */
  static String clean(String text, int length) {
    int end = Math.min(text.length(), length);
    StringBuilder clean = null;
    for (int i = 0; i < end; i++) {
      char c = text.charAt(i);
      if (Character.isISOControl(c) || (Character.isSurrogate(c) && !paired(text, i, end))) {
        if (clean == null) {
          clean = new StringBuilder(text.substring(0, end));
        }
        clean.setCharAt(i, ' ');
      }
    }
    return clean == null ? text.substring(0, end) : clean.toString();
  }

  private static boolean paired(String text, int i, int end) {
    return Character.isHighSurrogate(text.charAt(i))
        ? i + 1 < end && Character.isLowSurrogate(text.charAt(i + 1))
        : i > 0 && Character.isHighSurrogate(text.charAt(i - 1));
  }
}
