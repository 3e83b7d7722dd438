package io.spillway.server.rest;

import io.smallrye.mutiny.Uni;
import io.spillway.server.board.Boards;
import io.spillway.server.board.GpuAnswer;
import io.spillway.server.board.Items;
import io.spillway.server.board.LeaderFirst;
import io.spillway.server.board.NodeAnswer;
import io.spillway.server.board.OfferingAnswer;
import io.spillway.server.board.PoolAnswer;
import io.spillway.server.board.ProviderAnswer;
import io.spillway.server.board.ProviderBoard;
import io.spillway.server.board.QueueAnswer;
import io.spillway.server.board.SystemAnswer;
import io.spillway.server.security.Can;
import io.spillway.server.security.CurrentCaller;
import jakarta.annotation.security.RolesAllowed;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.HeaderParam;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Response;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.media.Content;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.parameters.Parameter;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;

/** Queues and the market, as this replica's state has them. */
@Path(Api.ROOT)
@Produces(Api.JSON)
@Tag(name = "boards")
public class BoardsResource {
  private final CurrentCaller caller;
  private final Boards boards;
  private final ProviderBoard providers;
  private final LeaderFirst leader;

  BoardsResource(CurrentCaller caller, Boards boards, ProviderBoard providers, LeaderFirst leader) {
    this.caller = caller;
    this.boards = boards;
    this.providers = providers;
    this.leader = leader;
  }

  @GET
  @Path("queues")
  @RolesAllowed(Can.READ)
  @Operation(operationId = "listQueues", summary = "Queues: depth by state, usage, oldest wait")
  public Uni<Items<QueueAnswer>> queues() {
    return boards.queues(caller.get());
  }

  @GET
  @Path("queues/" + Api.NAME)
  @RolesAllowed(Can.READ)
  @Operation(operationId = "getQueue", summary = "A queue")
  public Uni<QueueAnswer> queue(@PathParam("name") String name) {
    return boards.queue(caller.get(), Api.queue(name));
  }

  @GET
  @Path("offerings")
  @RolesAllowed(Can.READ)
  @Operation(
      operationId = "listOfferings",
      summary = "The market board",
      description =
          "Price, age, source, trust, availability, block, breaker and launch budget of every"
              + " offering; with notLaunchable what is sold but cannot be launched, what to install"
              + " to use it, and whether it would have been the cheapest.")
  @APIResponse(
      responseCode = "200",
      description = "OK",
      content = @Content(schema = @Schema(implementation = OfferingItems.class)))
  public Uni<Response> offerings(
      @Parameter(hidden = true) @HeaderParam("Authorization") String authorization,
      @Parameter(hidden = true) @HeaderParam("Spillway-Forwarded") String forwarded) {
    return best("/api/v1/offerings", authorization, forwarded, boards::offerings);
  }

  /** The shape of the answer, for the API document. */
  @Schema(name = "ItemsOfferingAnswer")
  record OfferingItems(List<OfferingAnswer> items) {}

  @GET
  @Path("pools")
  @RolesAllowed(Can.READ)
  @Operation(operationId = "listPools", summary = "Finite pools and what is used of them")
  public Uni<Items<PoolAnswer>> pools() {
    return boards.pools();
  }

  @GET
  @Path("nodes")
  @RolesAllowed(Can.READ)
  @Operation(operationId = "listNodes", summary = "Nodes that agents reported")
  public Uni<Items<NodeAnswer>> nodes() {
    return boards.nodes();
  }

  @GET
  @Path("providers")
  @RolesAllowed(Can.READ)
  @Operation(
      operationId = "listProviders",
      summary = "Provider accounts, their probes and what is known of them",
      description =
          "Each account's probe: healthy, failing or off and why, last success, next run, back-off"
              + " and rate limit, warnings. Any replica answers; probes run on the leader.")
  @APIResponse(
      responseCode = "200",
      description = "The accounts",
      content = @Content(schema = @Schema(implementation = ProviderItems.class)))
  public Uni<Response> providers(
      @Parameter(hidden = true) @HeaderParam("Authorization") String authorization,
      @Parameter(hidden = true) @HeaderParam("Spillway-Forwarded") String forwarded) {
    return best("/api/v1/providers", authorization, forwarded, providers::accounts);
  }

  private <T> Uni<Response> best(
      String path, String authorization, String forwarded, Supplier<Uni<T>> here) {
    return leader
        .answer(path, Optional.ofNullable(authorization), forwarded != null, here)
        .map(shown -> Response.ok(shown.body()).build());
  }

  /** The shape of the answer, for the API document. */
  @Schema(name = "ItemsProviderAnswer")
  record ProviderItems(List<ProviderAnswer> items) {}

  @GET
  @Path("gpus")
  @RolesAllowed(Can.READ)
  @Operation(operationId = "listGpus", summary = "Canonical GPU models and the providers' aliases")
  public Items<GpuAnswer> gpus() {
    return providers.gpus();
  }

  @GET
  @Path("version")
  @RolesAllowed(Can.READ)
  @Operation(operationId = "getVersion", summary = "The build, the live policies, the flags")
  public Uni<SystemAnswer> version() {
    return boards.system();
  }
}
