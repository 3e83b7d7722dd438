package io.spillway.server.rest;

import io.smallrye.mutiny.Uni;
import io.spillway.server.jobs.BatchSubmission;
import io.spillway.server.jobs.JobAnswer;
import io.spillway.server.jobs.JobListing;
import io.spillway.server.jobs.JobReading;
import io.spillway.server.jobs.JobSpecReader;
import io.spillway.server.jobs.JobSubmission;
import io.spillway.server.jobs.Paged;
import io.spillway.server.json.StrictJson;
import io.spillway.server.problem.ProblemType;
import io.spillway.server.problem.Refused;
import io.spillway.server.security.Can;
import io.spillway.server.security.CurrentCaller;
import jakarta.annotation.security.RolesAllowed;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.DefaultValue;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.HeaderParam;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.UriInfo;
import java.net.URI;
import java.util.List;
import java.util.Optional;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.enums.SchemaType;
import org.eclipse.microprofile.openapi.annotations.media.Content;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.parameters.Parameter;
import org.eclipse.microprofile.openapi.annotations.parameters.RequestBody;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;

/** Submitting and listing jobs. */
@Path(Api.ROOT)
@Tag(name = "jobs")
public class JobsResource {
  private static final int MAX_BATCH_BYTES = 8 * 1024 * 1024;

  private final CurrentCaller caller;
  private final JobSubmission submission;
  private final BatchSubmission batches;
  private final JobReading reading;

  JobsResource(
      CurrentCaller caller, JobSubmission submission, BatchSubmission batches, JobReading reading) {
    this.caller = caller;
    this.submission = submission;
    this.batches = batches;
    this.reading = reading;
  }

  @POST
  @Path("jobs")
  @RolesAllowed(Can.SUBMIT)
  @Consumes(Api.JSON)
  @Produces(Api.JSON)
  @Operation(
      operationId = "submitJob",
      summary = "Submit a job",
      description =
          "201 promises: valid, its queue exists and is yours, limits kept, stored for good,"
              + " readable at once from every replica. The same key and body again answers 200 with"
              + " the same job.")
  @APIResponse(
      responseCode = "201",
      description = "Accepted",
      content = @Content(schema = @Schema(implementation = JobAnswer.class)))
  @APIResponse(
      responseCode = "200",
      description = "Repeated: the job accepted before",
      content = @Content(schema = @Schema(implementation = JobAnswer.class)))
  public Uni<Response> submit(
      @RequestBody(
              required = true,
              content = @Content(schema = @Schema(implementation = JobRequestSchema.class)))
          byte[] body,
      @Parameter(description = "1 to 128 printable characters; scoped to the queue")
          @HeaderParam("Idempotency-Key")
          String key,
      @Parameter(
              description = "not supported by this version",
              schema = @Schema(type = SchemaType.BOOLEAN, defaultValue = "false"))
          @QueryParam("dryRun")
          @DefaultValue("false")
          String dryRun,
      @Context UriInfo uri) {
    // A name without a value is no value to the framework, and a wish to its writer.
    boolean bare = uri.getQueryParameters().getOrDefault("dryRun", List.of()).contains("");
    if (bare || Api.flag("dryRun", dryRun)) {
      throw new Refused(ProblemType.NOT_SUPPORTED, "dryRun is not supported by this version");
    }
    return submission
        .submit(
            caller.get(),
            StrictJson.object(body, JobSpecReader.MAX_BYTES),
            Optional.ofNullable(key))
        .map(JobsResource::answer);
  }

  @POST
  @Path("jobs:batch")
  @RolesAllowed(Can.SUBMIT)
  @Consumes(Api.JSON)
  @Produces(Api.JSON)
  @Operation(
      operationId = "submitJobs",
      summary = "Submit up to 1,000 jobs",
      description = "Each item is accepted or refused as if it came alone.")
  public Uni<BatchSubmission.Answer> batch(
      @RequestBody(
              required = true,
              content = @Content(schema = @Schema(implementation = BatchRequestSchema.class)))
          byte[] body) {
    return batches.submit(
        caller.get(), StrictJson.object(body, MAX_BATCH_BYTES), Api.ROOT + "/jobs:batch");
  }

  @GET
  @Path("jobs")
  @RolesAllowed(Can.READ)
  @Produces(Api.JSON)
  @Operation(operationId = "listJobs", summary = "List jobs, newest first")
  public Uni<Paged<JobAnswer>> list(
      @QueryParam("queue") List<String> queues,
      @QueryParam("state") List<String> states,
      @Parameter(description = "key=value; every one must be there") @QueryParam("label")
          List<String> labels,
      @Parameter(description = "1 to 500") @QueryParam("limit") @DefaultValue("50") int limit,
      @Parameter(description = "nextCursor of the page before") @QueryParam("cursor")
          String cursor) {
    return reading.list(
        caller.get(), new JobListing(queues, states, labels, limit, Optional.ofNullable(cursor)));
  }

  private static Response answer(JobSubmission.Submitted done) {
    URI location = URI.create(Api.ROOT + "/jobs/" + done.job().id());
    return Response.status(done.created() ? 201 : 200)
        .location(location)
        .entity(done.job())
        .build();
  }
}
