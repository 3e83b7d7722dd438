package io.spillway.server.kubernetes;

import io.spillway.scheduler.model.AttemptId;
import io.spillway.scheduler.model.DnsLabel;
import java.util.Locale;

/**
 * Names of objects, from the attempt's id alone: the same each time, and another for each attempt.
 * A Service's name begins with a letter (RFC 1035) and an Indexed Job's leaves room for the index.
 */
record Names(String base, String namespace) {

  static Names of(Placement placement) throws Untranslatable {
    String namespace =
        placement.site().policy().namespace().replace("{queue}", placement.queue().value());
    if (!DnsLabel.isValid(namespace)) {
      throw new Untranslatable(
          RefusalCode.NAMESPACE,
          "the namespace would be '" + namespace + "', which is no DNS label");
    }
    return new Names(base(placement.attempt()), namespace);
  }

  private static String base(AttemptId attempt) {
    return "sw-" + attempt.job().value().toLowerCase(Locale.ROOT) + '-' + attempt.number();
  }

  /** Of the n-th thing that is made for the attempt's storage. */
  String storage(int index) {
    return base + "-s" + index;
  }

  String hold() {
    return base + "-hold";
  }

  /** Where rank 0 of an Indexed Job is found, by the Service of the Job's name. */
  String master() {
    return base + "-0." + base;
  }

  /** Where rank 0 of a JobSet is found. */
  String masterOfJobSet() {
    return base + "-node-0-0." + base;
  }
}
