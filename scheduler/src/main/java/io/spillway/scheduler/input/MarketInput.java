package io.spillway.scheduler.input;

import io.spillway.scheduler.market.CapacityNotice;
import io.spillway.scheduler.market.Observation;
import io.spillway.scheduler.model.CapacityFailure;

/** What providers and probes say. */
public sealed interface MarketInput extends Input {

  /** Capacity goes, is gone or is at risk, by the provider's word. */
  record NoticeReceived(CapacityNotice notice) implements MarketInput {
    @Override
    public Lane lane() {
      return Lane.NOTICES;
    }
  }

  /** A provider refused capacity, told by an event rather than by an agent. */
  record FailureObserved(CapacityFailure failure) implements MarketInput {
    @Override
    public Lane lane() {
      return Lane.REPORTS;
    }
  }

  /** A probe saw a change of availability, price, trust or block. */
  record ObservationChanged(Observation observation) implements MarketInput {
    @Override
    public Lane lane() {
      return Lane.OBSERVATIONS;
    }
  }
}
