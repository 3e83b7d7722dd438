package io.spillway.agent.attempt;

import io.spillway.agent.kube.Kind;
import io.spillway.agent.kube.ObjectRef;
import io.spillway.agent.kube.Reflector;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** What reflectors bring, for the book. */
public final class Sight {
  private Sight() {}

  /** Pods of attempts. */
  public static Reflector.Sink<PodFact> pods(Attempts attempts) {
    return new Reflector.Sink<>() {
      @Override
      public void all(List<PodFact> facts) {
        Set<String> uids = new HashSet<>();
        facts.forEach(pod -> uids.add(pod.uid()));
        attempts.replacedPods(uids);
        facts.forEach(attempts::seen);
      }

      @Override
      public void seen(PodFact fact) {
        attempts.seen(fact);
      }

      @Override
      public void gone(PodFact last) {
        attempts.gone(last);
      }
    };
  }

  /** Objects of one kind. */
  public static Reflector.Sink<ObjectFact> objects(Kind kind, Attempts attempts) {
    return new Reflector.Sink<>() {
      @Override
      public void all(List<ObjectFact> facts) {
        Set<ObjectRef> refs = new HashSet<>();
        facts.forEach(fact -> refs.add(fact.ref()));
        facts.forEach(attempts::seen);
        attempts.replaced(kind, refs);
      }

      @Override
      public void seen(ObjectFact fact) {
        attempts.seen(fact);
      }

      @Override
      public void gone(ObjectFact last) {
        attempts.gone(last);
      }
    };
  }
}
