package io.spillway.server.jobs;

import com.fasterxml.jackson.databind.JsonNode;
import io.spillway.server.sse.FeedItem;
import java.time.Instant;
import org.eclipse.microprofile.openapi.annotations.media.Schema;

/**
 * One journalled event of a job.
 *
 * @param id its place in the journal; also the id of the stream's event
 * @param data the event's members
 */
@Schema(description = "One journalled event of a job")
public record EventAnswer(
    @Schema(examples = "1234.0") String id,
    Instant at,
    @Schema(examples = "JobQueued") String type,
    @Schema(implementation = Object.class) JsonNode data) {

  static EventAnswer of(FeedItem item) {
    return new EventAnswer(item.position().toString(), item.at(), item.type(), item.data());
  }
}
