package io.spillway.server.probes;

import io.spillway.capacity.spi.CapacityProbe;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/** What stands around a question to a probe: it ends, one way or the other. */
@FunctionalInterface
interface Guard {
  CompletionStage<CapacityProbe.Result> run(
      Supplier<CompletionStage<CapacityProbe.Result>> question);
}
