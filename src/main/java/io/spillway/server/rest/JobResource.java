package io.spillway.server.rest;

import io.smallrye.mutiny.Uni;
import io.spillway.scheduler.input.CommandInput.JobVerb;
import io.spillway.server.board.Items;
import io.spillway.server.jobs.AttemptAnswer;
import io.spillway.server.jobs.JobAnswer;
import io.spillway.server.jobs.JobControl;
import io.spillway.server.jobs.JobProgress;
import io.spillway.server.jobs.JobReading;
import io.spillway.server.jobs.ProgressAnswer;
import io.spillway.server.json.StrictJson;
import io.spillway.server.progress.Progress;
import io.spillway.server.security.Can;
import io.spillway.server.security.CurrentCaller;
import jakarta.annotation.security.RolesAllowed;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.HeaderParam;
import jakarta.ws.rs.PATCH;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.EntityTag;
import jakarta.ws.rs.core.Request;
import jakarta.ws.rs.core.Response;
import java.util.Optional;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.media.Content;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.parameters.RequestBody;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;

/** One job: reading and commanding it. */
@Path(Api.ROOT)
@Tag(name = "jobs")
public class JobResource {
  private final CurrentCaller caller;
  private final JobReading reading;
  private final JobControl control;
  private final JobProgress progress;

  JobResource(CurrentCaller caller, JobReading reading, JobControl control, JobProgress progress) {
    this.progress = progress;
    this.caller = caller;
    this.reading = reading;
    this.control = control;
  }

  @GET
  @Path("jobs/" + Api.ID)
  @RolesAllowed(Can.READ)
  @Produces(Api.JSON)
  @Operation(
      operationId = "getJob",
      summary = "A job: state, reason, position, attempts, cost, progress, specification",
      description =
          "The ETag changes with the stored state; money, position and progress move without it.")
  @APIResponse(
      responseCode = "200",
      description = "The job",
      content = @Content(schema = @Schema(implementation = JobAnswer.class)))
  public Uni<Response> get(@PathParam("id") String id, @Context Request request) {
    return reading
        .one(caller.get(), Api.job(id))
        .map(
            found -> {
              EntityTag tag = new EntityTag(found.etag());
              Response.ResponseBuilder unchanged = request.evaluatePreconditions(tag);
              return unchanged != null
                  ? unchanged.build()
                  : Response.ok(found.job()).tag(tag).build();
            });
  }

  @PATCH
  @Path("jobs/" + Api.ID)
  @RolesAllowed(Can.SUBMIT)
  @Consumes({Api.MERGE_PATCH, Api.JSON})
  @Produces(Api.JSON)
  @Operation(
      operationId = "patchJob",
      summary = "Change priority class or labels",
      description = "A JSON merge patch. With If-Match it fails with 412 if the job changed.")
  @APIResponse(
      responseCode = "200",
      description = "Committed",
      content = @Content(schema = @Schema(implementation = JobAnswer.class)))
  public Uni<Response> patch(
      @PathParam("id") String id,
      @RequestBody(
              required = true,
              content = @Content(schema = @Schema(implementation = JobPatchSchema.class)))
          byte[] body,
      @HeaderParam("If-Match") String ifMatch) {
    return control
        .patch(caller.get(), Api.job(id), Api.small(body), Optional.ofNullable(ifMatch))
        .map(Api::answer);
  }

  @DELETE
  @Path("jobs/" + Api.ID)
  @RolesAllowed(Can.SUBMIT)
  @Produces(Api.JSON)
  @Operation(operationId = "deleteJob", summary = "Cancel a job")
  @APIResponse(
      responseCode = "200",
      description = "Committed",
      content = @Content(schema = @Schema(implementation = JobAnswer.class)))
  public Uni<Response> delete(@PathParam("id") String id) {
    return command(id, JobVerb.CANCEL);
  }

  @POST
  @Path("jobs/" + Api.ID + ":cancel")
  @RolesAllowed(Can.SUBMIT)
  @Produces(Api.JSON)
  @Operation(operationId = "cancelJob", summary = "Cancel a job")
  @APIResponse(
      responseCode = "200",
      description = "Committed",
      content = @Content(schema = @Schema(implementation = JobAnswer.class)))
  public Uni<Response> cancel(@PathParam("id") String id) {
    return command(id, JobVerb.CANCEL);
  }

  @POST
  @Path("jobs/" + Api.ID + ":hold")
  @RolesAllowed(Can.SUBMIT)
  @Produces(Api.JSON)
  @Operation(operationId = "holdJob", summary = "Set a queued job aside")
  @APIResponse(
      responseCode = "200",
      description = "Committed",
      content = @Content(schema = @Schema(implementation = JobAnswer.class)))
  public Uni<Response> hold(@PathParam("id") String id) {
    return command(id, JobVerb.HOLD);
  }

  @POST
  @Path("jobs/" + Api.ID + ":release")
  @RolesAllowed(Can.SUBMIT)
  @Produces(Api.JSON)
  @Operation(operationId = "releaseJob", summary = "Put a held job back into its place")
  @APIResponse(
      responseCode = "200",
      description = "Committed",
      content = @Content(schema = @Schema(implementation = JobAnswer.class)))
  public Uni<Response> release(@PathParam("id") String id) {
    return command(id, JobVerb.RELEASE);
  }

  @POST
  @Path("jobs/" + Api.ID + ":requeue")
  @RolesAllowed(Can.SUBMIT)
  @Produces(Api.JSON)
  @Operation(
      operationId = "requeueJob",
      summary = "Drain a launching or running job and queue it again in its old place")
  @APIResponse(
      responseCode = "200",
      description = "Committed",
      content = @Content(schema = @Schema(implementation = JobAnswer.class)))
  public Uni<Response> requeue(@PathParam("id") String id) {
    return command(id, JobVerb.REQUEUE);
  }

  @GET
  @Path("jobs/" + Api.ID + "/attempts")
  @RolesAllowed(Can.READ)
  @Produces(Api.JSON)
  @Operation(operationId = "listAttempts", summary = "A job's attempts, by number")
  public Uni<Items<AttemptAnswer>> attempts(@PathParam("id") String id) {
    return reading.attempts(caller.get(), Api.job(id)).map(Items::new);
  }

  @POST
  @Path("jobs/" + Api.ID + "/attempts/{number: [0-9]{1,9}}:stop")
  @RolesAllowed(Can.SUBMIT)
  @Produces(Api.JSON)
  @Operation(
      operationId = "stopAttempt",
      summary = "Stop one attempt; the job goes back to its place in the queue")
  @APIResponse(
      responseCode = "200",
      description = "Committed",
      content = @Content(schema = @Schema(implementation = JobAnswer.class)))
  public Uni<Response> stop(@PathParam("id") String id, @PathParam("number") int number) {
    return control.stopAttempt(caller.get(), Api.job(id), number).map(Api::answer);
  }

  @POST
  @Path("jobs/" + Api.ID + "/progress")
  @RolesAllowed(Can.SUBMIT)
  @Consumes(Api.JSON)
  @Produces(Api.JSON)
  @Operation(
      operationId = "reportProgress",
      summary = "Say how far a job is",
      description =
          "Kept and shown, the newest of each job; no decision rests on it yet. Written within about a"
              + " second: what comes faster replaces what still waits.")
  public Uni<ProgressAnswer> progress(
      @PathParam("id") String id,
      @RequestBody(
              required = true,
              content = @Content(schema = @Schema(implementation = ProgressSchema.class)))
          byte[] body) {
    return progress.report(caller.get(), Api.job(id), StrictJson.object(body, Progress.MAX_BYTES));
  }

  private Uni<Response> command(String id, JobVerb verb) {
    return control.command(caller.get(), Api.job(id), verb).map(Api::answer);
  }
}
