package io.spillway.server.rest;

import io.smallrye.mutiny.Uni;
import io.spillway.server.preview.ManifestPreview;
import io.spillway.server.security.Can;
import io.spillway.server.security.CurrentCaller;
import jakarta.annotation.security.RolesAllowed;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import java.util.Optional;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.enums.SchemaType;
import org.eclipse.microprofile.openapi.annotations.media.Content;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.parameters.Parameter;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;

/** A job as the Kubernetes objects that a cluster would get. */
@Path(Api.ROOT)
@Tag(name = "jobs")
public class ManifestResource {
  private final CurrentCaller caller;
  private final ManifestPreview preview;

  ManifestResource(CurrentCaller caller, ManifestPreview preview) {
    this.caller = caller;
    this.preview = preview;
  }

  @GET
  @Path("jobs/" + Api.ID + "/manifest")
  @RolesAllowed(Can.READ)
  @Produces(Api.JSON)
  @Operation(
      operationId = "getManifest",
      summary = "The Kubernetes objects that the offering's cluster would get",
      description =
          "A Kubernetes List in the order of application, the same byte for byte every time. 404 for"
              + " an offering that no policy makes, 409 while no agent said what the cluster can"
              + " run, 422 with the reason if the job cannot run there.")
  @APIResponse(
      responseCode = "200",
      description = "A Kubernetes List",
      content = @Content(schema = @Schema(type = SchemaType.OBJECT)))
  public Uni<String> manifest(
      @PathParam("id") String id,
      @Parameter(
              description =
                  "cluster~zone~instanceType~capacityType[~pool], as GET /offerings names it;"
                      + " left out: where the newest attempt is")
          @QueryParam("offering")
          String offering) {
    return preview.of(
        caller.get(),
        Api.job(id),
        Optional.ofNullable(offering).filter(text -> !text.isEmpty()).map(Api::offering));
  }
}
