package io.spillway.server.problem;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.quarkus.security.AuthenticationFailedException;
import io.quarkus.security.ForbiddenException;
import io.quarkus.security.UnauthorizedException;
import io.spillway.server.inbox.Inbox;
import jakarta.validation.ConstraintViolation;
import jakarta.validation.ConstraintViolationException;
import jakarta.ws.rs.WebApplicationException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jboss.logging.Logger;

/** Maps any throwable to the problem that its caller is told. */
public final class ProblemMapping {
  private static final Logger LOG = Logger.getLogger(ProblemMapping.class);
  private static final Duration STORE_RETRY = Duration.ofSeconds(2);
  private static final int MAX_CAUSES = 12;

  private ProblemMapping() {}

  /**
   * The answer to a failed call.
   *
   * @param retryAfterSeconds for the {@code Retry-After} header
   */
  public record Answer(Problem problem, Optional<Long> retryAfterSeconds) {
    private static Answer of(Problem problem) {
      return new Answer(problem, Optional.empty());
    }
  }

  /** Never throws, never reveals a stack trace. */
  public static Answer answer(Throwable failure, String instance) {
    return switch (failure) {
      case Refused refused -> Answer.of(refused.problem(instance));
      case RetryLater later ->
          new Answer(later.problem(instance), Optional.of(later.afterSeconds()));
      case Inbox.StoreUnavailable gone -> unavailable(instance);
      case UnauthorizedException none ->
          simple(ProblemType.UNAUTHENTICATED, "send Authorization: Bearer <token>", instance);
      case AuthenticationFailedException wrong ->
          simple(ProblemType.UNAUTHENTICATED, "the token is not known or not valid", instance);
      case ForbiddenException no ->
          simple(ProblemType.FORBIDDEN, ProblemType.FORBIDDEN.title(), instance);
      case JsonProcessingException json ->
          simple(ProblemType.MALFORMED_JSON, json.getOriginalMessage(), instance);
      case ConstraintViolationException invalid -> violations(invalid, instance);
      case WebApplicationException web -> web(web, instance);
      default ->
          StoreFailures.isUnavailable(failure) ? unavailable(instance) : inner(failure, instance);
    };
  }

  /** For failures that are only a status, as the HTTP layer below the resources makes them. */
  public static Answer ofStatus(int status, String detail, String instance) {
    return switch (status) {
      case 400 -> simple(ProblemType.INVALID_REQUEST, detail, instance);
      case 401 -> simple(ProblemType.UNAUTHENTICATED, detail, instance);
      case 403 -> simple(ProblemType.FORBIDDEN, detail, instance);
      case 404 -> simple(ProblemType.NOT_FOUND, "there is nothing at " + instance, instance);
      case 405 -> simple(ProblemType.METHOD_NOT_ALLOWED, detail, instance);
      case 406 -> simple(ProblemType.NOT_ACCEPTABLE, detail, instance);
      case 413 -> simple(ProblemType.BODY_TOO_LARGE, detail, instance);
      case 414, 431 ->
          simple(ProblemType.INVALID_REQUEST, "the path or headers are too long", instance);
      case 415 -> simple(ProblemType.UNSUPPORTED_MEDIA_TYPE, detail, instance);
      default -> bug(new IllegalStateException("HTTP status " + status + ": " + detail), instance);
    };
  }

  private static Answer inner(Throwable failure, String instance) {
    Throwable cause = failure.getCause();
    for (int i = 0; cause != null && i < MAX_CAUSES; i++, cause = cause.getCause()) {
      if (cause instanceof Refused || cause instanceof RetryLater) {
        return answer(cause, instance);
      }
    }
    return bug(failure, instance);
  }

  private static Answer web(WebApplicationException web, String instance) {
    int status = web.getResponse().getStatus();
    if (status >= 500) {
      return web.getCause() == null ? bug(web, instance) : answer(web.getCause(), instance);
    }
    if (status == 404 && web.getCause() instanceof NumberFormatException number) {
      // The framework takes a query parameter that is no number for a path that is not there.
      return ofStatus(400, "a parameter is not a number: " + number.getMessage(), instance);
    }
    String detail = web.getMessage() == null ? "" : web.getMessage();
    return ofStatus(status, detail, instance);
  }

  private static Answer violations(ConstraintViolationException invalid, String instance) {
    List<FieldError> errors =
        invalid.getConstraintViolations().stream()
            .map(violation -> new FieldError(parameter(violation), violation.getMessage()))
            .sorted(java.util.Comparator.comparing(FieldError::field))
            .toList();
    return Answer.of(Problem.of(ProblemType.INVALID_REQUEST, summary(errors), instance, errors));
  }

  /** The path without the Java method that it begins with. */
  private static String parameter(ConstraintViolation<?> violation) {
    String path = violation.getPropertyPath().toString();
    return path.substring(path.indexOf('.') + 1);
  }

  /** One line for {@code detail}. */
  public static String summary(List<FieldError> errors) {
    if (errors.isEmpty()) {
      return "";
    }
    FieldError first = errors.get(0);
    String line =
        first.field().isEmpty() ? first.message() : first.field() + ": " + first.message();
    return errors.size() == 1 ? line : line + " (and " + (errors.size() - 1) + " more)";
  }

  private static Answer unavailable(String instance) {
    RetryLater later =
        new RetryLater(
            ProblemType.STORE_UNAVAILABLE,
            "nothing was stored; the same call may be sent again",
            STORE_RETRY);
    return answer(later, instance);
  }

  private static Answer bug(Throwable failure, String instance) {
    String id = UUID.randomUUID().toString();
    LOG.errorf(failure, "bug=%s instance=%s", id, instance);
    return simple(ProblemType.BUG, "please report it with this id: " + id, instance);
  }

  private static Answer simple(ProblemType type, String detail, String instance) {
    return Answer.of(Problem.of(type, detail, instance, List.of()));
  }
}
