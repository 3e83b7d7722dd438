/**
 * How a caller is told what went wrong: RFC 9457 problems, for every error and from one registry
 * ({@link io.spillway.server.problem.ProblemType}). Use cases throw {@link
 * io.spillway.server.problem.Refused} (the caller must change something) or {@link
 * io.spillway.server.problem.RetryLater} (the same call may succeed later). {@link
 * io.spillway.server.problem.ProblemMapping} is the one place that maps any other throwable; what
 * it does not know is a bug: logged with an id, answered with that id and without a stack trace.
 */
package io.spillway.server.problem;
