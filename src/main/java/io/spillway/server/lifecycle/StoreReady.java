package io.spillway.server.lifecycle;

import io.spillway.server.loop.Pulse;
import io.spillway.server.store.PgLeadership;
import jakarta.enterprise.context.ApplicationScoped;
import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.Readiness;

/** Ready: the state has caught up with the journal and the clock is near the database's. */
@Readiness
@ApplicationScoped
class StoreReady implements HealthCheck {
  private final ReplicaHost replica;
  private final PgLeadership leadership;

  StoreReady(ReplicaHost replica, PgLeadership leadership) {
    this.replica = replica;
    this.leadership = leadership;
  }

  @Override
  public HealthCheckResponse call() {
    Pulse pulse = replica.pulse();
    boolean ready = pulse.isCaughtUp() && leadership.clockIsFine();
    return HealthCheckResponse.named("store")
        .status(ready)
        .withData("caughtUp", pulse.isCaughtUp())
        .withData("clockSkewMillis", leadership.skew().toMillis())
        .withData("leading", replica.leading())
        .withData("lastTrouble", pulse.lastTrouble())
        .build();
  }
}
