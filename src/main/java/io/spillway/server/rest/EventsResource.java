package io.spillway.server.rest;

import io.smallrye.mutiny.Uni;
import io.spillway.server.events.ProviderEvents;
import io.spillway.server.json.StrictJson;
import io.spillway.server.problem.ProblemType;
import io.spillway.server.problem.Refused;
import io.spillway.server.security.Can;
import io.spillway.server.security.CurrentCaller;
import jakarta.annotation.security.RolesAllowed;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Response;
import java.nio.charset.StandardCharsets;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.media.Content;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.parameters.RequestBody;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;

/** Provider events, for those without Kafka. */
@Path(Api.ROOT)
@Tag(name = "events")
public class EventsResource {
  private static final int MAX_BYTES = 1024 * 1024;

  private final CurrentCaller caller;
  private final ProviderEvents events;

  EventsResource(CurrentCaller caller, ProviderEvents events) {
    this.caller = caller;
    this.events = events;
  }

  /**
   * What was made of an event.
   *
   * @param inputs notices or failures that it held; 0 = nothing to do
   */
  public record Taken(int inputs, String type) {}

  @POST
  @Path("events")
  @RolesAllowed(Can.SEND_EVENTS)
  @Consumes({Api.JSON, "application/cloudevents+json"})
  @Produces(Api.JSON)
  @Operation(
      operationId = "sendEvent",
      summary = "Hand in a provider event",
      description = "As the provider sent it, wrapped or bare, or one of Spillway's CloudEvents.")
  @APIResponse(
      responseCode = "202",
      description = "Durable",
      content = @Content(schema = @Schema(implementation = Taken.class)))
  @APIResponse(
      responseCode = "200",
      description = "Understood, nothing to do",
      content = @Content(schema = @Schema(implementation = Taken.class)))
  public Uni<Response> send(
      @RequestBody(
              required = true,
              content = @Content(schema = @Schema(implementation = Object.class)))
          byte[] body) {
    StrictJson.object(body, MAX_BYTES);
    return events
        .accept(new String(body, StandardCharsets.UTF_8), caller.get().name())
        .map(EventsResource::answer);
  }

  private static Response answer(ProviderEvents.Answer answer) {
    return switch (answer) {
      case ProviderEvents.Answer.Taken taken ->
          Response.status(202).entity(new Taken(taken.inputs(), "")).build();
      case ProviderEvents.Answer.NothingToDo nothing ->
          Response.ok(new Taken(0, nothing.type())).build();
      case ProviderEvents.Answer.NotUnderstood not ->
          throw new Refused(ProblemType.INVALID_EVENT, not.reason());
    };
  }
}
