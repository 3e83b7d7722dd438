package io.spillway.server.problem;

/** Every kind of problem that the API answers with. The slug is part of the API. */
public enum ProblemType {
  MALFORMED_JSON(400, "malformed-json", "The body is not well-formed JSON"),
  INVALID_REQUEST(400, "invalid-request", "A parameter or header is not valid"),
  UNAUTHENTICATED(401, "unauthenticated", "A valid bearer token is needed"),
  FORBIDDEN(403, "forbidden", "The token's role does not allow this"),
  QUEUE_NOT_YOURS(403, "queue-not-yours", "The queue is not one of the token's queues"),
  NOT_FOUND(404, "not-found", "There is no such thing"),
  METHOD_NOT_ALLOWED(405, "method-not-allowed", "The path does not know this method"),
  NOT_ACCEPTABLE(406, "not-acceptable", "No representation fits the Accept header"),
  IDEMPOTENCY_CONFLICT(409, "idempotency-conflict", "The key was used with another body"),
  STATE_CONFLICT(409, "state-conflict", "The present state does not allow this"),
  POLICY_SOURCE_CONFLICT(409, "policy-source-conflict", "Policies are kept elsewhere"),
  PRECONDITION_FAILED(412, "precondition-failed", "It changed since it was read"),
  BODY_TOO_LARGE(413, "body-too-large", "The body is too large"),
  UNSUPPORTED_MEDIA_TYPE(415, "unsupported-media-type", "The Content-Type is not accepted here"),
  INVALID_JOB(422, "invalid-job", "The job cannot be accepted"),
  UNTRANSLATABLE(422, "untranslatable", "The job cannot run on this offering"),
  INVALID_BODY(422, "invalid-body", "The body is JSON, but not what is expected here"),
  INVALID_POLICY(422, "invalid-policy", "The policy set cannot be accepted"),
  INVALID_EVENT(422, "invalid-event", "The event is not understood"),
  PRECONDITION_REQUIRED(428, "precondition-required", "An If-Match header is needed"),
  QUEUE_FULL(429, "queue-full", "The queue holds as many waiting jobs as its policy allows"),
  RATE_EXCEEDED(429, "rate-exceeded", "The queue's submit rate is exceeded"),
  BUG(500, "internal-error", "Spillway made a mistake"),
  NOT_SUPPORTED(501, "not-supported", "Not supported by this version"),
  STORE_UNAVAILABLE(503, "store-unavailable", "The database cannot be reached"),
  OVERLOADED(503, "overloaded", "Too much waits to be processed"),
  NOT_CONNECTED(503, "not-connected", "The cluster's agent cannot be asked now"),
  TOO_MANY_STREAMS(503, "too-many-streams", "Too many event streams are open");

  private static final String BASE = "https://spillway.io/problems/";

  private final int status;
  private final String slug;
  private final String title;

  ProblemType(int status, String slug, String title) {
    this.status = status;
    this.slug = slug;
    this.title = title;
  }

  public int status() {
    return status;
  }

  public String title() {
    return title;
  }

  /** The problem's {@code type} member. */
  public String uri() {
    return BASE + slug;
  }
}
