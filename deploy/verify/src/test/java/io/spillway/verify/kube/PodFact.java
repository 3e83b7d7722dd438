package io.spillway.verify.kube;

import java.time.Instant;
import java.util.Optional;

/**
 * What happened on a machine: a pod of an attempt began to run, or is over.
 *
 * @param nanos by {@link System#nanoTime}
 * @param member its rank in the gang, or the pod's part in it
 * @param exitCode empty at the beginning, and if its machine died
 */
public record PodFact(
    long nanos,
    Instant wall,
    String cluster,
    String namespace,
    String attempt,
    long epoch,
    String pod,
    String member,
    Kind kind,
    Optional<Integer> exitCode) {

  /** Begun or over. */
  public enum Kind {
    BEGAN,
    OVER
  }
}
