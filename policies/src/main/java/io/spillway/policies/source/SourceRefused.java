package io.spillway.policies.source;

import io.spillway.policies.finding.Finding;
import io.spillway.policies.finding.FindingCode;
import io.spillway.policies.finding.Place;

/** Reading a file stops here; nothing of it is used. */
final class SourceRefused extends Exception {
  private static final long serialVersionUID = 1L;
  private final transient Finding finding;

  SourceRefused(Place place, String path, FindingCode code, String message) {
    super(message, null, false, false);
    this.finding = Finding.at(place, path, code, message);
  }

  Finding finding() {
    return finding;
  }
}
