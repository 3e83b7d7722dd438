package io.spillway.server.rest;

import io.smallrye.mutiny.Uni;
import io.spillway.policies.source.SourceFile;
import io.spillway.server.board.Items;
import io.spillway.server.policy.LivePolicies;
import io.spillway.server.policy.PolicyEditing;
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
import jakarta.ws.rs.PUT;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.EntityTag;
import jakarta.ws.rs.core.Response;
import java.util.List;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.media.Content;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.parameters.Parameter;
import org.eclipse.microprofile.openapi.annotations.parameters.RequestBody;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;

/** The policy set: read, check, replace, roll back. */
@Path(Api.ROOT)
@Produces(Api.JSON)
@Tag(name = "policies")
public class PoliciesResource {
  private static final int MAX_VERSIONS = 500;

  private final CurrentCaller caller;
  private final LivePolicies live;
  private final PolicyEditing editing;

  PoliciesResource(CurrentCaller caller, LivePolicies live, PolicyEditing editing) {
    this.caller = caller;
    this.live = live;
    this.editing = editing;
  }

  @GET
  @Path("policies")
  @RolesAllowed(Can.READ)
  @Operation(
      operationId = "getPolicies",
      summary = "The policy set in force",
      description = "The ETag is its version, for If-Match.")
  @APIResponse(
      responseCode = "200",
      description = "The set as it was written",
      content = @Content(schema = @Schema(implementation = PolicyAnswers.Live.class)))
  public Uni<Response> get() {
    String version = live.version();
    return live.stored(version)
        .map(
            stored ->
                Response.ok(PolicyAnswers.Live.of(version, stored))
                    .tag(new EntityTag(version))
                    .build());
  }

  @GET
  @Path("policies/versions")
  @RolesAllowed(Can.READ)
  @Operation(operationId = "listPolicyVersions", summary = "Versions ever offered, newest first")
  public Uni<Items<PolicyAnswers.Version>> versions(
      @QueryParam("limit") @DefaultValue("50") int limit) {
    return live.versions(Api.limit(limit, MAX_VERSIONS))
        .map(all -> new Items<>(all.stream().map(PolicyAnswers.Version::of).toList()));
  }

  @PUT
  @Path("policies")
  @RolesAllowed(Can.ADMINISTER)
  @Consumes({PolicyBody.YAML, "application/x-yaml", "text/yaml", Api.JSON})
  @Operation(
      operationId = "putPolicies",
      summary = "Replace the whole set",
      description =
          "All documents in one body, YAML or JSON. If-Match names the version that was read,"
              + " \"none\" before the first.")
  @APIResponse(
      responseCode = "200",
      description = "In force",
      content = @Content(schema = @Schema(implementation = PolicyAnswers.Accepted.class)))
  public Uni<Response> put(
      @RequestBody(
              required = true,
              content =
                  @Content(
                      mediaType = PolicyBody.YAML,
                      schema = @Schema(implementation = String.class)))
          byte[] body,
      @Parameter(hidden = true) @HeaderParam("Content-Type") String type,
      @Parameter(required = true) @HeaderParam("If-Match") String ifMatch) {
    List<SourceFile> files = PolicyBody.files(body, type);
    if (ifMatch == null || ifMatch.isBlank()) {
      throw new Refused(
          ProblemType.PRECONDITION_REQUIRED, "name the version that you read in If-Match");
    }
    return editing
        .put(files, PolicyBody.version(ifMatch), caller.get().name())
        .map(PolicyAnswers::answer);
  }

  @POST
  @Path("policies:validate")
  @RolesAllowed(Can.READ)
  @Consumes({PolicyBody.YAML, "application/x-yaml", "text/yaml", Api.JSON})
  @Operation(
      operationId = "validatePolicies",
      summary = "Check a set without changing anything",
      description = "Findings with file, line, column and code.")
  public PolicyAnswers.Checked validate(
      @RequestBody(
              required = true,
              content =
                  @Content(
                      mediaType = PolicyBody.YAML,
                      schema = @Schema(implementation = String.class)))
          byte[] body,
      @Parameter(hidden = true) @HeaderParam("Content-Type") String type) {
    return PolicyAnswers.Checked.of(editing.validate(PolicyBody.files(body, type)));
  }

  @POST
  @Path("policies:rollback")
  @RolesAllowed(Can.ADMINISTER)
  @Consumes(Api.JSON)
  @Operation(operationId = "rollbackPolicies", summary = "Put an older version in force again")
  @APIResponse(
      responseCode = "200",
      description = "In force",
      content = @Content(schema = @Schema(implementation = PolicyAnswers.Accepted.class)))
  public Uni<Response> rollback(
      @RequestBody(
              required = true,
              content = @Content(schema = @Schema(implementation = PolicyBody.Rollback.class)))
          byte[] body) {
    return editing
        .rollback(PolicyBody.rollback(Api.small(body)), caller.get().name())
        .map(PolicyAnswers::answer);
  }
}
