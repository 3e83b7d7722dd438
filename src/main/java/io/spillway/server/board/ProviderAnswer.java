package io.spillway.server.board;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.eclipse.microprofile.openapi.annotations.media.Schema;

/**
 * One provider account.
 *
 * @param account missing for a provider without one
 * @param module whether this build has the provider's module
 * @param clusters of the live policies on that account
 * @param observations known of its market
 * @param observedAt when its market was last seen, whether anything had changed or not; while its
 *     probe fails this ages
 * @param observationAgeSeconds since then
 * @param blocked its offerings that are blocked now
 * @param probe missing where nobody here asks: observations may come by Kafka
 */
@JsonInclude(JsonInclude.Include.NON_ABSENT)
@Schema(description = "A provider account, its probe, and what is known of its market")
public record ProviderAnswer(
    @Schema(examples = "aws") String provider,
    Optional<String> account,
    boolean module,
    List<String> clusters,
    int observations,
    Optional<Instant> observedAt,
    Optional<Long> observationAgeSeconds,
    int blocked,
    Optional<ProbeAnswer> probe) {}
