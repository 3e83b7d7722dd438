package io.spillway.server.gateway;

import io.spillway.protocol.v1.ControlFrame;
import io.spillway.scheduler.model.AttemptId;
import io.spillway.scheduler.model.ClusterName;
import io.spillway.scheduler.model.OfferingId;
import java.util.Optional;

/**
 * Something that an agent is to be told of an attempt.
 *
 * @param offering empty for a stray, which is on none that the store knows
 * @param seq journal row that caused it; of two commands of one attempt the later counts
 */
record Command(
    ClusterName cluster,
    AttemptId attempt,
    Optional<OfferingId> offering,
    long seq,
    ControlFrame frame) {}
