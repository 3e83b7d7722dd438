package io.spillway.benchmark.load;

/**
 * What became of one job; times in milliseconds of the wall clock, 0 = not yet. Written by the
 * thread that submits and the one that reads job events.
 */
final class Course {
  /** What kind of job it is, for figures by kind; set before the job is submitted. */
  final String kind;

  volatile long submittedAt;
  volatile long answeredAt;
  volatile long placedAt;
  volatile long launchingAt;
  volatile long runningAt;
  volatile long finishedAt;
  volatile boolean succeeded;

  Course(String kind) {
    this.kind = kind;
  }

  void heard(JobEvent event) {
    switch (event.type()) {
      case "attempt.placed" -> placedAt = first(placedAt, event.at());
      case "launching" -> launchingAt = first(launchingAt, event.at());
      case "running" -> runningAt = first(runningAt, event.at());
      case "succeeded", "failed", "cancelled" -> {
        succeeded = event.type().equals("succeeded");
        finishedAt = event.at();
      }
      default -> {}
    }
  }

  /** Events are delivered at least once. */
  private static long first(long known, long now) {
    return known == 0 ? now : known;
  }

  /** From the call to its answer; -1 if not known yet, as for the other times. */
  long answerMillis() {
    return between(submittedAt, answeredAt);
  }

  /** From the call to the news of the committed placement. */
  long admissionMillis() {
    return between(submittedAt, placedAt);
  }

  /** From the call to the news of the end. */
  long wholeMillis() {
    return between(submittedAt, finishedAt);
  }

  private static long between(long from, long to) {
    return from == 0 || to == 0 ? -1 : Math.max(0, to - from);
  }
}
