package io.spillway.server.json;

import io.spillway.server.problem.FieldError;
import io.spillway.server.problem.ProblemMapping;
import io.spillway.server.problem.ProblemType;
import io.spillway.server.problem.Refused;
import java.util.ArrayList;
import java.util.List;

/** Collects what is wrong with a body, in the order of its fields. Not thread-safe. */
public final class Faults {
  /** More than these help nobody. */
  private static final int MAX = 50;

  private final List<FieldError> errors = new ArrayList<>();

  public void add(String field, String message) {
    if (errors.size() < MAX) {
      errors.add(new FieldError(field, message));
    }
  }

  public boolean isEmpty() {
    return errors.isEmpty();
  }

  /** Whether something is wrong with that field or one inside it. */
  public boolean concerns(String field) {
    return errors.stream().anyMatch(error -> isInside(error.field(), field));
  }

  private static boolean isInside(String place, String field) {
    boolean begins = field.isEmpty() || place.startsWith(field);
    return begins
        && (field.isEmpty()
            || place.length() == field.length()
            || place.charAt(field.length()) == '.'
            || place.charAt(field.length()) == '[');
  }

  public List<FieldError> errors() {
    return List.copyOf(errors);
  }

  /**
   * @throws Refused with all faults, if there are any
   */
  public void refuse(ProblemType type) {
    if (!errors.isEmpty()) {
      throw new Refused(type, ProblemMapping.summary(errors), errors);
    }
  }
}
