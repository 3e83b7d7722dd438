package io.spillway.server.board;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.spillway.scheduler.policy.ClusterPolicy;
import io.spillway.scheduler.state.ClusterStatus;
import io.spillway.scheduler.state.Memo;
import java.time.Instant;
import java.util.Optional;
import org.eclipse.microprofile.openapi.annotations.media.Schema;

/**
 * A cluster and its agent.
 *
 * @param state how far its silence has gone; {@code UNREGISTERED} until a token was issued
 * @param connected whether its agent's stream is open
 * @param silentSince when the last stream ended, while none is open
 */
@JsonInclude(JsonInclude.Include.NON_ABSENT)
@Schema(description = "A cluster and its agent")
public record ClusterAnswer(
    @Schema(examples = "eks-ohio") String name,
    boolean inPolicy,
    @Schema(
            enumeration = {
              "UNREGISTERED",
              "NEVER_CONNECTED",
              "CONNECTED",
              "SILENT",
              "CUT_OFF",
              "LOST"
            })
        String state,
    boolean connected,
    boolean cordoned,
    boolean declaredLost,
    Optional<Instant> silentSince,
    long sessionGeneration,
    Optional<String> provider,
    Optional<String> account,
    Optional<String> region,
    Optional<String> namespace,
    int nodes,
    int attempts) {

  static ClusterAnswer of(ClusterStatus status) {
    Memo.ClusterFlags flags = status.flags();
    return new ClusterAnswer(
        flags.name().value(),
        status.policy().isPresent(),
        state(flags),
        flags.connected(),
        flags.cordoned(),
        flags.declared(),
        flags.connected() || flags.generation() == 0
            ? Optional.empty()
            : Optional.of(flags.silentSince()),
        flags.generation(),
        status.policy().map(ClusterPolicy::provider),
        status.policy().map(ClusterPolicy::account),
        status.policy().map(ClusterPolicy::region),
        status.policy().map(ClusterPolicy::namespace),
        status.nodes(),
        status.attempts());
  }

  private static String state(Memo.ClusterFlags flags) {
    if (!flags.registered()) {
      return "UNREGISTERED";
    }
    if (flags.connected()) {
      return "CONNECTED";
    }
    if (flags.generation() == 0) {
      return "NEVER_CONNECTED";
    }
    return switch (flags.link()) {
      case HEARD -> "SILENT";
      case CUT_OFF -> "CUT_OFF";
      case LOST -> "LOST";
    };
  }
}
