package io.spillway.server.rest;

import io.smallrye.mutiny.Uni;
import io.spillway.server.board.CommandAnswer;
import io.spillway.server.board.OperatorCommands;
import io.spillway.server.board.OperatorCommands.Switch;
import io.spillway.server.json.Durations;
import io.spillway.server.problem.ProblemType;
import io.spillway.server.problem.Refused;
import io.spillway.server.security.Can;
import io.spillway.server.security.CurrentCaller;
import jakarta.annotation.security.RolesAllowed;
import jakarta.ws.rs.DefaultValue;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.Response;
import java.time.Duration;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.media.Content;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.parameters.Parameter;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;

/** What operators set on queues, offerings, pools and the whole. */
@Path(Api.ROOT)
@Produces(Api.JSON)
@Tag(name = "operation")
@APIResponse(
    responseCode = "200",
    description = "Committed",
    content = @Content(schema = @Schema(implementation = CommandAnswer.class)))
public class OperatorResource {
  private final CurrentCaller caller;
  private final OperatorCommands commands;

  OperatorResource(CurrentCaller caller, OperatorCommands commands) {
    this.caller = caller;
    this.commands = commands;
  }

  @POST
  @Path("queues/" + Api.NAME + ":pause")
  @RolesAllowed(Can.OPERATE)
  @Operation(operationId = "pauseQueue", summary = "Place nothing more of the queue")
  public Uni<Response> pauseQueue(@PathParam("name") String name) {
    return commands.pauseQueue(caller.get(), Api.queue(name), Switch.ON).map(Api::answer);
  }

  @POST
  @Path("queues/" + Api.NAME + ":resume")
  @RolesAllowed(Can.OPERATE)
  @Operation(operationId = "resumeQueue", summary = "Place jobs of the queue again")
  public Uni<Response> resumeQueue(@PathParam("name") String name) {
    return commands.pauseQueue(caller.get(), Api.queue(name), Switch.OFF).map(Api::answer);
  }

  @POST
  @Path("offerings/" + Api.ID + ":block")
  @RolesAllowed(Can.OPERATE)
  @Operation(operationId = "blockOffering", summary = "Place nothing on the offering for a time")
  public Uni<Response> block(
      @PathParam("id") String id,
      @Parameter(required = true, description = "such as 15m") @QueryParam("for") String time,
      @Parameter(description = "for people, at most 200 characters")
          @QueryParam("reason")
          @DefaultValue("")
          String reason) {
    Duration duration =
        Api.parsed("for", time, Durations::parse)
            .orElseThrow(() -> Refused.field(ProblemType.INVALID_REQUEST, "for", "is required"));
    return commands.block(caller.get(), Api.offering(id), duration, reason).map(Api::answer);
  }

  @POST
  @Path("offerings/" + Api.ID + ":unblock")
  @RolesAllowed(Can.OPERATE)
  @Operation(operationId = "unblockOffering", summary = "Lift the offering's block")
  public Uni<Response> unblock(@PathParam("id") String id) {
    return commands.unblock(caller.get(), Api.offering(id)).map(Api::answer);
  }

  @POST
  @Path("pools/" + Api.NAME + ":cordon")
  @RolesAllowed(Can.OPERATE)
  @Operation(operationId = "cordonPool", summary = "Place nothing more on the pool")
  public Uni<Response> cordon(@PathParam("name") String name) {
    return commands.cordonPool(caller.get(), Api.pool(name), Switch.ON).map(Api::answer);
  }

  @POST
  @Path("pools/" + Api.NAME + ":uncordon")
  @RolesAllowed(Can.OPERATE)
  @Operation(operationId = "uncordonPool", summary = "Place jobs on the pool again")
  public Uni<Response> uncordon(@PathParam("name") String name) {
    return commands.cordonPool(caller.get(), Api.pool(name), Switch.OFF).map(Api::answer);
  }

  @POST
  @Path("system:pause")
  @RolesAllowed(Can.OPERATE)
  @Operation(
      operationId = "pauseSystem",
      summary = "Stop new placements everywhere",
      description = "What runs runs on.")
  public Uni<Response> pause() {
    return commands.pauseSystem(caller.get(), Switch.ON).map(Api::answer);
  }

  @POST
  @Path("system:resume")
  @RolesAllowed(Can.OPERATE)
  @Operation(operationId = "resumeSystem", summary = "Place again")
  public Uni<Response> resume() {
    return commands.pauseSystem(caller.get(), Switch.OFF).map(Api::answer);
  }

  @POST
  @Path("system:recover")
  @RolesAllowed(Can.OPERATE)
  @Operation(
      operationId = "recoverSystem",
      summary = "Say that RECOVERY after a restored store is over")
  public Uni<Response> recover() {
    return commands.recover(caller.get()).map(Api::answer);
  }
}
