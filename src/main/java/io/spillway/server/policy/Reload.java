package io.spillway.server.policy;

import io.spillway.policies.Compilation;
import io.spillway.policies.Compilation.Compiled;
import io.spillway.policies.Compilation.Rejected;
import io.spillway.policies.PolicyCompiler;
import io.spillway.policies.finding.Severity;
import io.spillway.policies.source.SourceFile;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * Decides when what was seen in a directory is to be offered: once the same content was seen for
 * the settling time, so that an editor or a copy in progress is never half loaded. Used by one
 * thread.
 */
final class Reload {
  private final Duration settle;
  private List<SourceFile> seen = List.of();
  private Instant since = Instant.MIN;
  private boolean judged;

  Reload(Duration settle) {
    this.settle = settle;
  }

  /** What to do about the files as they are now. */
  Verdict look(List<SourceFile> files, Instant now, String inForce) {
    if (!files.equals(seen) || since.equals(Instant.MIN)) {
      seen = List.copyOf(files);
      since = now;
      judged = false;
    }
    if (judged || now.isBefore(since.plus(settle))) {
      return new Verdict.Wait();
    }
    judged = true;
    if (files.isEmpty()) {
      return new Verdict.Bad(
          new ReloadFault("there is no policy file in the directory", List.of()));
    }
    Compilation compilation = PolicyCompiler.compile(files);
    return switch (compilation) {
      case Compiled set when set.policies().version().equals(inForce) -> new Verdict.Same();
      case Compiled set -> new Verdict.Offer(set, files);
      case Rejected rejected -> new Verdict.Bad(fault(rejected));
    };
  }

  /** What was decided did not come about (no database): decide again. */
  void again() {
    judged = false;
  }

  /** Forgets everything, as when another replica led meanwhile. */
  void reset() {
    since = Instant.MIN;
    judged = false;
  }

  private static ReloadFault fault(Rejected rejected) {
    long errors =
        rejected.findings().stream()
            .filter(finding -> finding.severity() == Severity.ERROR)
            .count();
    return new ReloadFault(
        errors
            + " errors in the policies of the directory; the former stay in force. First: "
            + rejected.findings().getFirst().text(),
        rejected.findings());
  }

  /** What is to be done. */
  sealed interface Verdict {
    /** Nothing yet, or nothing any more. */
    record Wait() implements Verdict {}

    /** The directory says what is in force. */
    record Same() implements Verdict {}

    record Offer(Compiled set, List<SourceFile> files) implements Verdict {
      public Offer {
        files = List.copyOf(files);
      }
    }

    record Bad(ReloadFault fault) implements Verdict {}
  }
}
