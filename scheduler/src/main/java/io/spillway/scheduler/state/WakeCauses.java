package io.spillway.scheduler.state;

import io.spillway.scheduler.plan.ParkCause;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.TreeMap;
import java.util.TreeSet;

/** Index of parked classes by what can change their verdict. Derived; never part of the digest. */
public final class WakeCauses implements Table.Listener<String, ParkedClass> {
  private static final String ANY = "";

  private final Map<ParkCause, NavigableSet<String>> byCause = new TreeMap<>();

  WakeCauses() {}

  /** Classes parked on exactly that cause, or on any subject of its kind, by text. */
  public List<String> parkedOn(ParkCause cause) {
    NavigableSet<String> classes = new TreeSet<>(of(cause));
    classes.addAll(of(new ParkCause(cause.kind(), ANY)));
    return List.copyOf(classes);
  }

  boolean sameAs(WakeCauses other) {
    return byCause.equals(other.byCause);
  }

  private NavigableSet<String> of(ParkCause cause) {
    return byCause.getOrDefault(cause, Collections.emptyNavigableSet());
  }

  @Override
  public void changed(String text, ParkedClass before, ParkedClass after) {
    if (before != null) {
      before.causes().forEach(cause -> remove(cause, text));
    }
    if (after != null) {
      after
          .causes()
          .forEach(cause -> byCause.computeIfAbsent(cause, c -> new TreeSet<>()).add(text));
    }
  }

  private void remove(ParkCause cause, String text) {
    NavigableSet<String> classes = of(cause);
    classes.remove(text);
    if (classes.isEmpty()) {
      byCause.remove(cause);
    }
  }
}
