package io.spillway.server.jobs;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.spillway.server.progress.Progress;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.eclipse.microprofile.openapi.annotations.media.Schema;

/**
 * What a job said last of its progress.
 *
 * @param attempt which said it
 * @param reportedAt database time of its write
 * @param source the cluster's agent, or a call
 */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
@Schema(name = "Progress", description = "What a job said last of its progress")
public record ProgressAnswer(
    int attempt,
    Instant reportedAt,
    @Schema(enumeration = {"AGENT", "CALL"}) String source,
    @Schema(description = "Done share, 0 to 1", examples = "0.42") Optional<BigDecimal> fraction,
    OptionalInt step,
    OptionalInt steps,
    Optional<String> message,
    Map<String, BigDecimal> values) {

  static ProgressAnswer of(ProgressRow row) {
    Progress said = Progress.lenient((ObjectNode) JsonTexts.tree(row.body));
    return new ProgressAnswer(
        row.attempt,
        row.reportedAt,
        row.source,
        said.fraction(),
        said.step(),
        said.steps(),
        said.message(),
        said.values());
  }
}
