package io.spillway.server.kubernetes;

/** Thrown inside the translation, and turned into {@link Translated.Refused} at its edge. */
final class Untranslatable extends Exception {
  private static final long serialVersionUID = 1L;

  private final RefusalCode code;

  Untranslatable(RefusalCode code, String detail) {
    super(detail);
    this.code = code;
  }

  RefusalCode code() {
    return code;
  }
}
