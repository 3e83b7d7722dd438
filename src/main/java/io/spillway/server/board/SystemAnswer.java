package io.spillway.server.board;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.time.Instant;
import java.util.Optional;
import org.eclipse.microprofile.openapi.annotations.media.Schema;

/**
 * The build and the flags of the whole.
 *
 * @param leading whether the replica that answers leads
 * @param recovery why nothing is placed nor stopped, while that lasts
 * @param drift differences that the last minute's audit found; 0 is right
 */
@JsonInclude(JsonInclude.Include.NON_ABSENT)
@Schema(description = "The build and the flags of the whole")
public record SystemAnswer(
    String version,
    String coreVersion,
    String policyVersion,
    boolean leading,
    boolean paused,
    Optional<String> recovery,
    Optional<Instant> recoverySince,
    int drift) {}
