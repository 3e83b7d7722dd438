package io.spillway.server.rest;

import io.quarkus.smallrye.openapi.runtime.OpenApiDocumentService;
import io.smallrye.openapi.runtime.io.Format;
import jakarta.annotation.security.PermitAll;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import org.eclipse.microprofile.openapi.annotations.Operation;

/** The API's own description; also on the management port under {@code /q/openapi}. */
@Path(Api.ROOT)
public class OpenApiResource {
  private static final String DOCUMENT = "<default>";

  private final OpenApiDocumentService documents;

  OpenApiResource(OpenApiDocumentService documents) {
    this.documents = documents;
  }

  @GET
  @Path("openapi")
  @PermitAll
  @Produces(Api.JSON)
  @Operation(hidden = true)
  public byte[] json() {
    return documents.getDocument(DOCUMENT, Format.JSON);
  }
}
