package io.spillway.scheduler.event;

import io.spillway.scheduler.market.CapacityNotice;
import io.spillway.scheduler.market.Observation;
import io.spillway.scheduler.model.BlockScope;
import io.spillway.scheduler.model.CapacityFailure;
import io.spillway.scheduler.model.FailureClass;
import io.spillway.scheduler.model.MarketKey;
import io.spillway.scheduler.model.OfferingId;
import java.time.Instant;
import java.util.List;

/** What was learnt of the market. */
public sealed interface MarketEvent extends Event {

  record ObservationAdopted(Observation observation) implements MarketEvent {}

  /** The observation's price left the sanity band of its GPU model: shown, not used. */
  record PriceQuarantined(MarketKey key, String reason) implements MarketEvent {}

  /** Nothing is placed in the scope until then; {@code repeats} drives the growth. */
  record BlockPlaced(
      BlockScope scope,
      FailureClass failureClass,
      String reason,
      Instant at,
      Instant until,
      int repeats)
      implements MarketEvent {}

  record BlockLifted(BlockScope scope, Instant at) implements MarketEvent {}

  /**
   * A capacity failure was counted; what it blocks is a {@link BlockPlaced} beside it.
   *
   * @param humbled offerings in its scope whose launch budget falls back to one trial
   */
  record FailureCounted(CapacityFailure failure, List<OfferingId> humbled) implements MarketEvent {
    public FailureCounted {
      humbled = List.copyOf(humbled);
    }
  }

  /**
   * A notice was understood, or its instance appeared at last.
   *
   * @param matched attempts touched by it; 0 = it waits
   * @param until how long it is remembered: waiting for its instance, then to know it again
   */
  record NoticeTaken(CapacityNotice notice, Instant at, int matched, Instant until)
      implements MarketEvent {}

  /** Its time is over: nobody's instance, or old enough not to be told again. */
  record NoticeExpired(String noticeId, Instant at) implements MarketEvent {}
}
