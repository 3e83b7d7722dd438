package io.spillway.server.rest;

import java.util.List;
import org.eclipse.microprofile.openapi.annotations.media.Schema;

/** The form of a batch for the API document. */
@Schema(name = "BatchRequest", description = "Up to 1,000 jobs to submit")
public record BatchRequestSchema(@Schema(required = true, maxItems = 1000) List<BatchItem> items) {

  /** One job and its key. */
  @Schema(name = "BatchItem")
  public record BatchItem(String idempotencyKey, @Schema(required = true) JobRequestSchema job) {}
}
