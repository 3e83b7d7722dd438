package io.spillway.scheduler.queue;

import io.spillway.scheduler.plan.ParkCause;
import io.spillway.scheduler.state.ParkedClass;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * What a class waits for. Collected from its refusals; a kind with more subjects than anybody reads
 * becomes "any of that kind", which wakes oftener and hides nothing.
 */
public final class Parking {
  /** Subjects kept per kind. */
  static final int MAX_SUBJECTS = 16;

  private final Map<ParkCause.Kind, SortedSet<String>> subjects =
      new EnumMap<>(ParkCause.Kind.class);
  private Optional<Instant> until = Optional.empty();

  /** Every class waits for a new policy, whatever else it waits for. */
  public Parking() {
    on(ParkCause.Kind.POLICY, "");
  }

  /** Waits for that too; an empty subject is any of the kind. */
  public Parking on(ParkCause.Kind kind, String subject) {
    subjects.computeIfAbsent(kind, key -> new TreeSet<>()).add(subject);
    return this;
  }

  /** Whether more subjects of that kind would say nothing more. */
  public boolean isAny(ParkCause.Kind kind) {
    SortedSet<String> names = subjects.get(kind);
    return names != null && names.size() > MAX_SUBJECTS;
  }

  /** Waits at most until then. */
  public Parking until(Optional<Instant> time) {
    if (time.isPresent() && until.map(time.get()::isBefore).orElse(true)) {
      until = time;
    }
    return this;
  }

  /** The record of a class that waits for what was collected. */
  public ParkedClass of(String shapeClass, boolean quarantined) {
    List<ParkCause> causes = new ArrayList<>();
    subjects.forEach(
        (kind, names) -> {
          if (names.size() > MAX_SUBJECTS || names.contains("")) {
            causes.add(new ParkCause(kind, ""));
          } else {
            names.forEach(name -> causes.add(new ParkCause(kind, name)));
          }
        });
    return new ParkedClass(shapeClass, causes, until, quarantined);
  }

  /** Whether a parked class is looked at again for all that was collected here. */
  public boolean isCoveredBy(ParkedClass parked) {
    boolean inTime =
        until.isEmpty() || parked.until().map(time -> !time.isAfter(until.get())).orElse(false);
    return inTime
        && subjects.entrySet().stream()
            .allMatch(
                kind -> kind.getValue().stream().allMatch(it -> covers(parked, kind.getKey(), it)));
  }

  private static boolean covers(ParkedClass parked, ParkCause.Kind kind, String subject) {
    return parked.causes().contains(new ParkCause(kind, subject))
        || parked.causes().contains(new ParkCause(kind, ""));
  }
}
