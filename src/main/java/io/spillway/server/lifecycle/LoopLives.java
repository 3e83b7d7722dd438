package io.spillway.server.lifecycle;

import io.spillway.server.config.LoopConfig;
import io.spillway.server.loop.Pulse;
import jakarta.enterprise.context.ApplicationScoped;
import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.Liveness;

/** Live: the loop comes round. A database that is away does not count against it. */
@Liveness
@ApplicationScoped
class LoopLives implements HealthCheck {
  private final ReplicaHost replica;
  private final LoopConfig config;

  LoopLives(ReplicaHost replica, LoopConfig config) {
    this.replica = replica;
    this.config = config;
  }

  @Override
  public HealthCheckResponse call() {
    Pulse pulse = replica.pulse();
    boolean alive = !pulse.hasEnded() && pulse.sinceBeat().compareTo(config.watchdog()) < 0;
    return HealthCheckResponse.named("loop")
        .status(alive)
        .withData("millisSinceBeat", pulse.sinceBeat().toMillis())
        .withData("troubles", pulse.troubles())
        .build();
  }
}
