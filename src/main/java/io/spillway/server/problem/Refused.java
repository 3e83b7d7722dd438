package io.spillway.server.problem;

import java.util.List;

/** The caller asked for something that cannot be done; asking again changes nothing. */
public final class Refused extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final ProblemType type;
  private final transient List<FieldError> errors;

  public Refused(ProblemType type, String detail) {
    this(type, detail, List.of());
  }

  public Refused(ProblemType type, String detail, List<FieldError> errors) {
    // No stack trace: this is an answer, made thousands of times a second under abuse.
    super(detail, null, false, false);
    this.type = type;
    this.errors = List.copyOf(errors);
  }

  /** A refusal because of one field. */
  public static Refused field(ProblemType type, String field, String message) {
    return new Refused(type, field + ": " + message, List.of(new FieldError(field, message)));
  }

  public ProblemType type() {
    return type;
  }

  public Problem problem(String instance) {
    return Problem.of(type, getMessage(), instance, errors);
  }
}
