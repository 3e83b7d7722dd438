package io.spillway.server.rest;

import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import io.spillway.scheduler.model.JobId;
import io.spillway.server.jobs.Decision;
import io.spillway.server.jobs.Decisions;
import io.spillway.server.jobs.EventAnswer;
import io.spillway.server.jobs.ExplainAnswer;
import io.spillway.server.jobs.JobExplaining;
import io.spillway.server.jobs.JobHistory;
import io.spillway.server.jobs.Paged;
import io.spillway.server.security.Can;
import io.spillway.server.security.CurrentCaller;
import jakarta.annotation.security.RolesAllowed;
import jakarta.ws.rs.DefaultValue;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.HeaderParam;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.sse.OutboundSseEvent;
import jakarta.ws.rs.sse.Sse;
import java.util.Optional;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.media.Content;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.parameters.Parameter;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;

/** What happened, what was decided, and why. */
@Path(Api.ROOT)
@Tag(name = "history")
public class HistoryResource {
  private static final int MAX_LIMIT = 1_000;

  private final CurrentCaller caller;
  private final JobHistory history;
  private final Decisions decisions;
  private final JobExplaining explaining;

  HistoryResource(
      CurrentCaller caller, JobHistory history, Decisions decisions, JobExplaining explaining) {
    this.caller = caller;
    this.history = history;
    this.decisions = decisions;
    this.explaining = explaining;
  }

  @GET
  @Path("jobs/" + Api.ID + "/events")
  @RolesAllowed(Can.READ)
  @Produces(Api.JSON)
  @Operation(
      operationId = "listEvents",
      summary = "A job's events from the journal, oldest first",
      description = "With Accept: text/event-stream the same as a stream that goes on.")
  public Uni<Paged<EventAnswer>> events(
      @PathParam("id") String id,
      @Parameter(description = "an event's id, or nextCursor") @QueryParam("after") String after,
      @QueryParam("limit") @DefaultValue("200") int limit) {
    return history.page(
        caller.get(), Api.job(id), Api.position("after", after), Api.limit(limit, MAX_LIMIT));
  }

  @GET
  @Path("jobs/" + Api.ID + "/events")
  @RolesAllowed(Can.READ)
  @Produces(MediaType.SERVER_SENT_EVENTS)
  @Operation(hidden = true)
  public Multi<OutboundSseEvent> follow(
      @PathParam("id") String id, @HeaderParam("Last-Event-ID") String lastId, @Context Sse sse) {
    return history.stream(caller.get(), Api.job(id), Api.position("Last-Event-ID", lastId), sse);
  }

  @GET
  @Path("jobs/" + Api.ID + "/explain")
  @RolesAllowed(Can.READ)
  @Produces(Api.JSON)
  @Operation(
      operationId = "explainJob",
      summary = "Why a job stands where it stands",
      description =
          "Any replica answers; with source stored it could not reach the leader in time.")
  @APIResponse(
      responseCode = "200",
      description = "The explanation",
      content = @Content(schema = @Schema(implementation = ExplainAnswer.class)))
  public Uni<Response> explain(
      @PathParam("id") String id,
      @Parameter(hidden = true) @HeaderParam("Authorization") String authorization,
      @Parameter(hidden = true) @HeaderParam("Spillway-Forwarded") String forwarded) {
    return explaining
        .explain(caller.get(), Api.job(id), Optional.ofNullable(authorization), forwarded != null)
        .map(
            found ->
                Response.ok(found.json().<Object>map(text -> text).orElseGet(() -> made(found)))
                    .build());
  }

  @GET
  @Path("decisions")
  @RolesAllowed(Can.READ)
  @Produces(Api.JSON)
  @Operation(operationId = "listDecisions", summary = "What the scheduler decided, oldest first")
  public Uni<Paged<Decision>> decisions(
      @QueryParam("job") String job,
      @Parameter(description = "a decision's id, or nextCursor") @QueryParam("after") String after,
      @QueryParam("limit") @DefaultValue("100") int limit) {
    Optional<JobId> id = Optional.ofNullable(job).map(Api::job);
    return decisions.page(
        caller.get(), id, Api.position("after", after), Api.limit(limit, MAX_LIMIT));
  }

  @GET
  @Path("decisions:stream")
  @RolesAllowed(Can.READ)
  @Produces(MediaType.SERVER_SENT_EVENTS)
  @Operation(
      operationId = "streamDecisions",
      summary = "Decisions as server-sent events",
      description = "From Last-Event-ID, else from now on.")
  public Multi<OutboundSseEvent> stream(
      @HeaderParam("Last-Event-ID") String lastId, @Context Sse sse) {
    return decisions.stream(caller.get(), Api.position("Last-Event-ID", lastId), sse);
  }

  private static Object made(JobExplaining.Explained explained) {
    return explained.answer().orElseThrow();
  }
}
