package io.spillway.server.rest;

import io.smallrye.mutiny.Uni;
import io.spillway.scheduler.model.ClusterName;
import io.spillway.server.board.Boards;
import io.spillway.server.board.ClusterAnswer;
import io.spillway.server.board.ClusterTokens;
import io.spillway.server.board.CommandAnswer;
import io.spillway.server.board.Items;
import io.spillway.server.board.OperatorCommands;
import io.spillway.server.board.OperatorCommands.Switch;
import io.spillway.server.json.Faults;
import io.spillway.server.json.JsonFields;
import io.spillway.server.problem.ProblemType;
import io.spillway.server.security.Can;
import io.spillway.server.security.CurrentCaller;
import jakarta.annotation.security.RolesAllowed;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.UriInfo;
import java.util.Optional;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.media.Content;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.parameters.RequestBody;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;

/** Clusters and their agents' tokens. */
@Path(Api.ROOT)
@Produces(Api.JSON)
@Tag(name = "clusters")
public class ClustersResource {
  private final CurrentCaller caller;
  private final Boards boards;
  private final ClusterTokens tokens;
  private final OperatorCommands commands;

  ClustersResource(
      CurrentCaller caller, Boards boards, ClusterTokens tokens, OperatorCommands commands) {
    this.caller = caller;
    this.boards = boards;
    this.tokens = tokens;
    this.commands = commands;
  }

  @GET
  @Path("clusters")
  @RolesAllowed(Can.READ)
  @Operation(operationId = "listClusters", summary = "Clusters and how their agents are heard")
  public Uni<Items<ClusterAnswer>> list() {
    return boards.clusters();
  }

  @POST
  @Path("clusters")
  @RolesAllowed(Can.ADMINISTER)
  @Consumes(Api.JSON)
  @Operation(
      operationId = "registerCluster",
      summary = "Register a cluster of the live policies",
      description = "Answers its agent's token once; until then the cluster is no candidate.")
  @APIResponse(
      responseCode = "201",
      description = "Registered",
      content = @Content(schema = @Schema(implementation = ClusterTokens.Issued.class)))
  public Uni<Response> register(
      @RequestBody(
              required = true,
              content = @Content(schema = @Schema(implementation = ClusterRequestSchema.class)))
          byte[] body,
      @Context UriInfo uri) {
    return tokens
        .register(caller.get(), name(body), server(uri))
        .map(issued -> Response.status(201).entity(issued).build());
  }

  @POST
  @Path("clusters/" + Api.NAME + ":token")
  @RolesAllowed(Can.ADMINISTER)
  @Operation(
      operationId = "rotateClusterToken",
      summary = "A new agent token in place of the old",
      description = "The old one is refused from the agent's next connection on.")
  public Uni<ClusterTokens.Issued> rotate(@PathParam("name") String name) {
    return tokens.rotate(caller.get(), Api.cluster(name));
  }

  @POST
  @Path("clusters/" + Api.NAME + ":cordon")
  @RolesAllowed(Can.OPERATE)
  @Operation(operationId = "cordonCluster", summary = "Place nothing more on the cluster")
  @APIResponse(
      responseCode = "200",
      description = "Committed",
      content = @Content(schema = @Schema(implementation = CommandAnswer.class)))
  public Uni<Response> cordon(@PathParam("name") String name) {
    return commands.cordonCluster(caller.get(), Api.cluster(name), Switch.ON).map(Api::answer);
  }

  @POST
  @Path("clusters/" + Api.NAME + ":uncordon")
  @RolesAllowed(Can.OPERATE)
  @Operation(operationId = "uncordonCluster", summary = "Place jobs on the cluster again")
  @APIResponse(
      responseCode = "200",
      description = "Committed",
      content = @Content(schema = @Schema(implementation = CommandAnswer.class)))
  public Uni<Response> uncordon(@PathParam("name") String name) {
    return commands.cordonCluster(caller.get(), Api.cluster(name), Switch.OFF).map(Api::answer);
  }

  @POST
  @Path("clusters/" + Api.NAME + ":declare-lost")
  @RolesAllowed(Can.OPERATE)
  @Operation(
      operationId = "declareClusterLost",
      summary = "Give the word that every instance of the cluster is gone",
      description = "Its attempts are fenced; queues with onClusterLost Replace start them anew.")
  @APIResponse(
      responseCode = "200",
      description = "Committed",
      content = @Content(schema = @Schema(implementation = CommandAnswer.class)))
  public Uni<Response> declareLost(@PathParam("name") String name) {
    return commands.declareLost(caller.get(), Api.cluster(name)).map(Api::answer);
  }

  private static ClusterName name(byte[] body) {
    Faults faults = new Faults();
    JsonFields fields = new JsonFields("", Api.small(body), faults);
    if (!fields.has("name")) {
      fields.fault("name", "is required");
    }
    Optional<ClusterName> name = fields.parsed("name", 63, ClusterName::new);
    fields.end();
    faults.refuse(ProblemType.INVALID_BODY);
    return name.orElseThrow();
  }

  /** Where the agent finds this server, as the caller found it. */
  private static String server(UriInfo uri) {
    return uri.getBaseUri().resolve("/").toString().replaceAll("/$", "");
  }
}
