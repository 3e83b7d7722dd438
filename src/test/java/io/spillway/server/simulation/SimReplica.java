package io.spillway.server.simulation;

import io.spillway.scheduler.cycle.CoreSettings;
import io.spillway.scheduler.cycle.SchedulerCore;
import io.spillway.server.loop.CycleOutcome;
import io.spillway.server.loop.Journal;
import io.spillway.server.loop.LeaderToken;
import io.spillway.server.loop.Pulse;
import io.spillway.server.loop.SchedulerLoop;
import io.spillway.server.loop.SteadyClock;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;

/** One replica's loop, stepped by hand: it leads, follows, pauses with an old token, restarts. */
final class SimReplica {
  private final SimStore store;
  private final SimClock clock;
  private final SteadyClock steady;
  private final RandomGenerator random;
  private SchedulerLoop loop;
  private Optional<LeaderToken> token = Optional.empty();

  SimReplica(SimStore store, SimClock clock, RandomGenerator random) {
    this.store = store;
    this.clock = clock;
    this.steady = new SteadyClock(clock, clock::nanos);
    this.random = random;
    restart();
  }

  SimClock clock() {
    return clock;
  }

  /** The lease is looked at, and the clock was found right. */
  void renew() {
    steady.anchor(clock.instant());
  }

  boolean leads() {
    return token.isPresent();
  }

  SchedulerLoop loop() {
    return loop;
  }

  /** Dies and comes back: the state is loaded, and must be what the journal says. */
  void restart() {
    token = Optional.empty();
    loop =
        new SchedulerLoop(
            new SchedulerCore(CoreSettings.DEFAULT),
            new SchedulerLoop.Ports(store, store, new Pulse()),
            List.of(),
            cursors -> {},
            steady,
            random::nextLong);
    loop.begin(store.load());
    if (store.head().seq() > 0 && loop.state().digest() != store.head().digest()) {
      throw new AssertionError("the restarted state differs from the journal at " + loop.head());
    }
  }

  /** Catches up, then holds the token. */
  void lead(long epoch) {
    follow();
    token = Optional.of(new LeaderToken(epoch));
  }

  void loseLease() {
    token = Optional.empty();
  }

  void follow() {
    for (Journal.Entry row : store.after(loop.head(), Integer.MAX_VALUE)) {
      if (!loop.follow(row)) {
        throw new AssertionError("the followed state differs from the journal at " + row.seq());
      }
    }
  }

  /** One iteration as the leader; a replica that steps down loads anew. */
  CycleOutcome cycle() {
    CycleOutcome outcome = loop.runOnce(token.orElseThrow());
    if (outcome instanceof CycleOutcome.SteppedDown) {
      restart();
    }
    return outcome;
  }

  /** One iteration with the token of an epoch that is over. */
  void cycleLate(long oldEpoch) {
    loop.runOnce(new LeaderToken(oldEpoch));
    restart();
  }

  void remember() {
    store.remember(loop.head(), loop.state().memo(), loop.state().policies());
  }
}
