package io.spillway.verify.kill;

/** Something that must not be. */
record Finding(Rule rule, String what) {

  /** What must hold. */
  enum Rule {
    /** Each 201 is a job. */
    LOST_JOB,
    /** …and only one. */
    DOUBLED_JOB,
    /** Each job ended, or waits with a reason. */
    NOT_ENDED,
    /** What ended once does not end otherwise. */
    ENDED_TWICE,
    /** A job that succeeded had a run that did. */
    NEVER_RAN,
    /** An attempt is started once. */
    DOUBLED_RUN,
    /** No two runs of a job overlap. */
    OVERLAP,
    /** No run without an attempt that the API shows. */
    NO_INTENT,
    /** Nothing is started that was stopped or has ended. */
    AFTER_STOP,
    /** Nothing runs at the end that no attempt accounts for. */
    LEAKED,
    /** In RECOVERY nothing is stopped and nothing started. */
    TOUCHED_IN_RECOVERY,
    /** The state after a restart is the state before the kill. */
    DIGEST
  }

  @Override
  public String toString() {
    return rule + ": " + what;
  }
}
