package io.spillway.server.problem;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.quarkus.security.AuthenticationFailedException;
import io.quarkus.security.ForbiddenException;
import io.quarkus.security.UnauthorizedException;
import jakarta.validation.ConstraintViolationException;
import jakarta.validation.ValidationException;
import jakarta.ws.rs.WebApplicationException;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.UriInfo;
import org.jboss.resteasy.reactive.server.ServerExceptionMapper;

/**
 * Turns what a resource threw into its problem. The framework prefers its own mappers for some of
 * these types to one for {@code Throwable}, hence a method for each.
 */
public class ProblemResponses {
  /** The media type of every error. */
  public static final String PROBLEM_JSON = "application/problem+json";

  private static final ObjectMapper JSON = new ObjectMapper();

  @ServerExceptionMapper
  public Response refused(Refused failure, UriInfo uri) {
    return of(failure, uri);
  }

  @ServerExceptionMapper
  public Response retryLater(RetryLater failure, UriInfo uri) {
    return of(failure, uri);
  }

  @ServerExceptionMapper
  public Response unauthorized(UnauthorizedException failure, UriInfo uri) {
    return of(failure, uri);
  }

  @ServerExceptionMapper
  public Response authenticationFailed(AuthenticationFailedException failure, UriInfo uri) {
    return of(failure, uri);
  }

  @ServerExceptionMapper
  public Response forbidden(ForbiddenException failure, UriInfo uri) {
    return of(failure, uri);
  }

  @ServerExceptionMapper
  public Response json(JsonProcessingException failure, UriInfo uri) {
    return of(failure, uri);
  }

  @ServerExceptionMapper
  public Response violation(ConstraintViolationException failure, UriInfo uri) {
    return of(failure, uri);
  }

  @ServerExceptionMapper
  public Response validation(ValidationException failure, UriInfo uri) {
    return of(failure, uri);
  }

  @ServerExceptionMapper
  public Response web(WebApplicationException failure, UriInfo uri) {
    return of(failure, uri);
  }

  @ServerExceptionMapper
  public Response any(Throwable failure, UriInfo uri) {
    return of(failure, uri);
  }

  private static Response of(Throwable failure, UriInfo uri) {
    return response(ProblemMapping.answer(failure, uri.getPath()));
  }

  /** The response to send. */
  static Response response(ProblemMapping.Answer answer) {
    Problem problem = answer.problem();
    Response.ResponseBuilder builder =
        Response.status(problem.status())
            .type(MediaType.valueOf(PROBLEM_JSON))
            .entity(bytes(problem));
    answer.retryAfterSeconds().ifPresent(after -> builder.header("Retry-After", after));
    if (problem.status() == 401) {
      builder.header("WWW-Authenticate", "Bearer");
    }
    return builder.build();
  }

  static byte[] bytes(Problem problem) {
    try {
      return JSON.writeValueAsBytes(problem);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("a problem is always JSON", e);
    }
  }
}
