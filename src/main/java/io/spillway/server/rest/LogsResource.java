package io.spillway.server.rest;

import io.spillway.server.jobs.JobLogs;
import io.spillway.server.json.Durations;
import io.spillway.server.leader.LeaderCall;
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
import jakarta.ws.rs.core.UriInfo;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.enums.SchemaType;
import org.eclipse.microprofile.openapi.annotations.media.Content;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.parameters.Parameter;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jboss.resteasy.reactive.RestMulti;

/** What a job's containers wrote. */
@Path(Api.ROOT)
@Tag(name = "jobs")
public class LogsResource {
  private static final Map<String, List<String>> HEADERS =
      Map.of(
          "Content-Type", List.of("text/plain;charset=UTF-8"),
          "Cache-Control", List.of("no-store"),
          "X-Content-Type-Options", List.of("nosniff"));

  private final CurrentCaller caller;
  private final JobLogs logs;

  LogsResource(CurrentCaller caller, JobLogs logs) {
    this.caller = caller;
    this.logs = logs;
  }

  @GET
  @Path("jobs/" + Api.ID + "/logs")
  @RolesAllowed(Can.READ)
  @Produces(MediaType.TEXT_PLAIN)
  @Operation(
      operationId = "getLogs",
      summary = "What a node of the job wrote",
      description =
          "Read in the cluster while you wait, and kept nowhere: what the cluster no longer has is"
              + " 404. 503 while the cluster's agent is not connected. A log that ends early says why"
              + " in its last line.")
  @APIResponse(
      responseCode = "200",
      description = "The log as it was written",
      content =
          @Content(mediaType = MediaType.TEXT_PLAIN, schema = @Schema(type = SchemaType.STRING)))
  public RestMulti<byte[]> logs(
      @PathParam("id") String id,
      @Parameter(description = "Number of the attempt; left out: the newest that was started")
          @QueryParam("attempt")
          String attempt,
      @Parameter(description = "Member of the gang, from 0. Of an MPI job 0 is the launcher")
          @QueryParam("node")
          @DefaultValue("0")
          String node,
      @Parameter(description = "Go on until the container ends or you leave")
          @QueryParam("follow")
          @DefaultValue("false")
          String follow,
      @Parameter(description = "Only what is younger than this: 90s, 15m") @QueryParam("since")
          String since,
      @HeaderParam("Authorization") @Parameter(hidden = true) String authorization,
      @HeaderParam(LeaderCall.FORWARDED) @Parameter(hidden = true) String forwarded,
      @Context UriInfo uri) {
    JobLogs.Asked asked =
        new JobLogs.Asked(
            Api.job(id),
            Api.parsed("attempt", attempt, text -> number(text, 1)),
            number("node", node),
            Api.flag("follow", follow),
            Api.parsed("since", since, Durations::parse).orElse(Duration.ZERO));
    JobLogs.Onward onward =
        new JobLogs.Onward(
            path(uri), Optional.ofNullable(authorization).filter(to -> forwarded == null));
    return RestMulti.fromUniResponse(
        logs.read(caller.get(), asked, onward), opened -> opened, opened -> HEADERS);
  }

  private static int number(String parameter, String text) {
    return Api.parsed(parameter, text, value -> number(value, 0)).orElse(0);
  }

  private static int number(String text, int least) {
    if (!text.matches("\\d{1,6}") || Integer.parseInt(text) < least) {
      throw new IllegalArgumentException("must be a number from " + least);
    }
    return Integer.parseInt(text);
  }

  private static String path(UriInfo uri) {
    String query = uri.getRequestUri().getRawQuery();
    return uri.getRequestUri().getRawPath() + (query == null ? "" : "?" + query);
  }
}
