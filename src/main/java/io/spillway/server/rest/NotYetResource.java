package io.spillway.server.rest;

import io.spillway.server.problem.ProblemType;
import io.spillway.server.problem.Refused;
import io.spillway.server.security.Can;
import jakarta.annotation.security.RolesAllowed;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.UriInfo;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;

/** Calls of the contract that this version lacks. They exist, and say so. */
@Path(Api.ROOT)
@Produces(Api.JSON)
@Tag(name = "not yet")
public class NotYetResource {

  @GET
  @Path("blockers")
  @RolesAllowed(Can.READ)
  @Operation(operationId = "listBlockers", summary = "Not supported by this version")
  public Response blockers(@Context UriInfo uri) {
    return notYet(uri);
  }

  @POST
  @Path("pools/" + Api.NAME + ":drain")
  @RolesAllowed(Can.OPERATE)
  @Operation(operationId = "drainPool", summary = "Not supported by this version")
  public Response drainPool(@Context UriInfo uri) {
    return notYet(uri);
  }

  @POST
  @Path("clusters/" + Api.NAME + ":drain")
  @RolesAllowed(Can.OPERATE)
  @Operation(operationId = "drainCluster", summary = "Not supported by this version")
  public Response drainCluster(@Context UriInfo uri) {
    return notYet(uri);
  }

  @POST
  @Path("nodes/" + Api.ID + ":release")
  @RolesAllowed(Can.OPERATE)
  @Operation(operationId = "releaseNode", summary = "Not supported by this version")
  public Response releaseNode(@Context UriInfo uri) {
    return notYet(uri);
  }

  @POST
  @Path("policies:dry-run")
  @RolesAllowed(Can.READ)
  @Operation(operationId = "dryRunPolicies", summary = "Not supported by this version")
  public Response dryRun(@Context UriInfo uri) {
    return notYet(uri);
  }

  @GET
  @Path("costs")
  @RolesAllowed(Can.READ)
  @Operation(operationId = "getCosts", summary = "Not supported by this version")
  public Response costs(@Context UriInfo uri) {
    return notYet(uri);
  }

  @GET
  @Path("audit")
  @RolesAllowed(Can.ADMINISTER)
  @Operation(operationId = "getAudit", summary = "Not supported by this version")
  public Response audit(@Context UriInfo uri) {
    return notYet(uri);
  }

  private static Response notYet(UriInfo uri) {
    throw new Refused(
        ProblemType.NOT_SUPPORTED, uri.getPath() + " is not supported by this version");
  }
}
