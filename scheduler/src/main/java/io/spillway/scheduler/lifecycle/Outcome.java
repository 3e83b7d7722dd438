package io.spillway.scheduler.lifecycle;

/** How an attempt ended. */
public enum Outcome {
  /** All members exited with zero. */
  SUCCEEDED,
  /** The job's own fault: a member exited with another code. */
  FAILED,
  /** Infrastructure failed under it: node, GPU, network, a deleted pod. */
  INFRASTRUCTURE,
  /** The provider took the capacity back. */
  INTERRUPTED,
  /** Capacity was refused before anything ran. */
  REFUSED,
  /** Stopped at our word: cancel, requeue, time-out, superseded. */
  STOPPED,
  /** Given up without proof of its end; its stop is the first message when its cluster returns. */
  FENCED,
  /** An intended attempt that was never started. */
  DROPPED
}
