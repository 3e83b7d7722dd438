package io.spillway.server.problem;

import io.quarkus.runtime.configuration.MemorySize;
import io.vertx.core.buffer.Buffer;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/**
 * Failures that happen before a resource is reached: a body over the limit, a broken request, a
 * path that no route serves.
 */
@ApplicationScoped
public class HttpFailures {
  private static final int BEFORE_THE_FRAMEWORKS = Integer.MIN_VALUE + 100;
  private static final int AFTER_ALL_ROUTES = Integer.MAX_VALUE - 100;

  private final long maxBody;

  HttpFailures(@ConfigProperty(name = "quarkus.http.limits.max-body-size") MemorySize maxBody) {
    this.maxBody = maxBody.asLongValue();
  }

  void install(@Observes Router router) {
    router
        .route()
        .order(BEFORE_THE_FRAMEWORKS)
        .handler(this::refuseTooLong)
        .failureHandler(HttpFailures::failed);
    router
        .route("/api/*")
        .order(AFTER_ALL_ROUTES)
        .handler(
            context -> send(context, ProblemMapping.ofStatus(404, "", context.normalizedPath())));
  }

  /** The framework would answer without a body. */
  private void refuseTooLong(RoutingContext context) {
    String length = context.request().getHeader("Content-Length");
    boolean isNumber = length != null && length.matches("\\d{1,18}");
    if (isNumber && Long.parseLong(length) > maxBody) {
      context
          .response()
          .putHeader("Connection", "close")
          .endHandler(sent -> context.request().connection().close());
      send(context, ProblemMapping.ofStatus(413, detail(413), context.normalizedPath()));
    } else {
      context.next();
    }
  }

  private static void failed(RoutingContext context) {
    String path = context.normalizedPath();
    boolean onlyStatus = context.failure() == null || context.statusCode() == 413;
    send(
        context,
        onlyStatus
            ? ProblemMapping.ofStatus(context.statusCode(), detail(context.statusCode()), path)
            : ProblemMapping.answer(context.failure(), path));
  }

  private static String detail(int status) {
    return status == 413 ? "the body is larger than any call takes" : "the request is not valid";
  }

  private static void send(RoutingContext context, ProblemMapping.Answer answer) {
    if (context.response().headWritten()) {
      context.response().reset();
      return;
    }
    answer
        .retryAfterSeconds()
        .ifPresent(after -> context.response().putHeader("Retry-After", String.valueOf(after)));
    context
        .response()
        .setStatusCode(answer.problem().status())
        .putHeader("Content-Type", ProblemResponses.PROBLEM_JSON)
        .end(Buffer.buffer(ProblemResponses.bytes(answer.problem())));
  }
}
