package io.spillway.benchmark.load;

import java.time.Instant;

/**
 * A record of {@code spillway.job-events}.
 *
 * @param type without the common prefix, such as {@code attempt.placed}
 * @param at milliseconds of the wall clock at which it was sent
 * @param json the whole event
 */
record JobEvent(String job, String type, long at, String json) {
  private static final String TYPE = "\"type\":\"io.spillway.job.";

  private static final String TIME = "\"time\":\"";

  /** Read by search, not by a parser: the reader shares the machine with what it measures. */
  static JobEvent read(String job, long at, String json) {
    int begin = json.indexOf(TYPE);
    int end = begin < 0 ? -1 : json.indexOf('"', begin + TYPE.length());
    return new JobEvent(job, end < 0 ? "" : json.substring(begin + TYPE.length(), end), at, json);
  }

  /** The scheduler's {@code now} of the decision. */
  Instant decidedAt() {
    int begin = json.indexOf(TIME) + TIME.length();
    return Instant.parse(json.substring(begin, json.indexOf('"', begin)));
  }
}
