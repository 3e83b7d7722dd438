package io.spillway.server.lifecycle;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.runtime.StartupEvent;
import io.spillway.server.store.PgStateStore;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;

/** Counts what the loop must never see: of each replica, leading or not. */
@ApplicationScoped
class LoopMetrics {

  void start(
      @Observes StartupEvent event,
      MeterRegistry registry,
      ReplicaHost replica,
      PgStateStore store) {
    FunctionCounter.builder(
            "spillway.digest.mismatches",
            replica,
            host -> host.pulse().mismatches() + store.mismatches())
        .description("states that were not what the journal says of them")
        .register(registry);
    FunctionCounter.builder("spillway.loop.troubles", replica, host -> host.pulse().troubles())
        .description("iterations of the loop that failed")
        .register(registry);
  }
}
