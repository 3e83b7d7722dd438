package io.spillway.server.probes;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.smallrye.mutiny.Uni;
import io.spillway.capacity.spi.AccountSettings;
import io.spillway.capacity.spi.CapacityProbe;
import io.spillway.scheduler.event.MarketEvent.ObservationAdopted;
import io.spillway.scheduler.input.Input;
import io.spillway.scheduler.input.Lane;
import io.spillway.scheduler.input.MarketInput.ObservationChanged;
import io.spillway.scheduler.market.Observation;
import io.spillway.scheduler.model.CapacityType;
import io.spillway.scheduler.model.GpuModel;
import io.spillway.scheduler.model.MarketKey;
import io.spillway.scheduler.model.NodeShape;
import io.spillway.scheduler.model.Trust;
import io.spillway.scheduler.model.UsdPerGpuHour;
import io.spillway.scheduler.state.State;
import io.spillway.scheduler.state.View;
import io.spillway.server.inbox.Inbox;
import io.spillway.server.inbox.InboxKey;
import io.spillway.server.loop.StateReader;
import io.spillway.server.providers.Providers;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.function.Supplier;

/** Accounts probed in virtual time, beside a real state that adopts what they tell at once. */
final class ProbeWorld {
  static final Instant START = Instant.parse("2026-11-30T10:00:00Z");
  static final Duration INTERVAL = Duration.ofSeconds(60);

  final State state = new State();
  final SimpleMeterRegistry metrics = new SimpleMeterRegistry();
  final List<Integer> told = new ArrayList<>();
  final List<Providers.Account> learnt = new ArrayList<>();
  final LastSeen lastSeen = new LastSeen();
  boolean leading = true;
  boolean storeDown;

  private final PriorityQueue<Due> timers =
      new PriorityQueue<>(Comparator.comparing(Due::at).thenComparing(Due::number));
  private Instant now = START;
  private int timersSet;

  private record Due(Instant at, int number, Runnable task) {}

  Instant now() {
    return now;
  }

  void advance(Duration time) {
    Instant end = now.plus(time);
    while (!timers.isEmpty() && !timers.peek().at().isAfter(end)) {
      Due due = timers.remove();
      now = due.at();
      due.task().run();
    }
    now = end;
  }

  private void after(Duration delay, Runnable task) {
    timers.add(new Due(now.plus(delay), timersSet++, task));
  }

  /** An account whose probe is that script; first asked at once. */
  AccountProbing account(String name, Script script) {
    AccountSettings settings =
        new AccountSettings(
            name,
            Optional.empty(),
            List.of(),
            INTERVAL,
            BigDecimal.ONE,
            Optional.empty(),
            Map.of());
    AccountProbing probing =
        new AccountProbing(
            new Providers.Account("cloud", settings, script),
            "cloud",
            this::inTime,
            new ProbePace(INTERVAL, () -> 0.5),
            new AccountProbing.Surroundings(
                new Market(reader(), inbox(), lastSeen),
                learnt::add,
                () -> now,
                this::after,
                Runnable::run,
                metrics));
    probing.begin(Duration.ZERO);
    return probing;
  }

  /** The guard's time-out, by this world's clock. */
  private CompletionStage<CapacityProbe.Result> inTime(
      Supplier<CompletionStage<CapacityProbe.Result>> question) {
    CompletableFuture<CapacityProbe.Result> answer = new CompletableFuture<>();
    question
        .get()
        .whenComplete(
            (result, failure) -> {
              if (failure == null) {
                answer.complete(result);
              } else {
                answer.completeExceptionally(failure);
              }
            });
    after(ProbeGuard.TIMEOUT, () -> answer.completeExceptionally(new TimeoutException()));
    return answer;
  }

  private StateReader reader() {
    return new StateReader() {
      @Override
      public <T> CompletionStage<T> read(Function<View, T> question) {
        return CompletableFuture.completedFuture(question.apply(state));
      }

      @Override
      public boolean leading() {
        return leading;
      }
    };
  }

  private Inbox inbox() {
    return new Inbox() {
      @Override
      public Uni<InboxKey> append(Lane lane, String actor, List<Input> inputs) {
        if (storeDown) {
          return Uni.createFrom().failure(new StoreUnavailable("no database", null));
        }
        told.add(inputs.size());
        for (Input input : inputs) {
          state.apply(new ObservationAdopted(((ObservationChanged) input).observation()));
        }
        return Uni.createFrom().item(new InboxKey("w", told.size()));
      }

      @Override
      public Uni<InboxKey> appendFrom(
          Lane lane, String actor, List<Input> inputs, OffsetMove move) {
        throw new IllegalStateException("a probe moves no offset");
      }

      @Override
      public Uni<Boolean> committed(InboxKey key, Duration timeout) {
        return Uni.createFrom().item(true);
      }

      @Override
      public Load load() {
        return Load.NORMAL;
      }
    };
  }

  /** What the probe does, changed by the test as time goes on; notes when it was asked. */
  static final class Script implements CapacityProbe {
    final List<Instant> asked = new ArrayList<>();
    Function<Instant, CompletionStage<Result>> answer;

    Script(Function<Instant, CompletionStage<Result>> answer) {
      this.answer = answer;
    }

    @Override
    public CompletionStage<Result> observe(Set<String> interest, Instant now) {
      asked.add(now);
      return answer.apply(now);
    }
  }

  /** A probe that finds one offering at that price. */
  static CompletionStage<CapacityProbe.Result> finds(
      String account, String price, Instant now, String... warnings) {
    return CompletableFuture.completedFuture(
        new CapacityProbe.Result(List.of(seen(account, price, now)), List.of(warnings)));
  }

  static CompletionStage<CapacityProbe.Result> fails(Throwable failure) {
    return CompletableFuture.failedFuture(failure);
  }

  static MarketKey key(String account) {
    return new MarketKey(
        "cloud", account, "north", "north", "h100x8", CapacityType.SPOT, Optional.empty());
  }

  private static Observation seen(String account, String price, Instant now) {
    return new Observation(
        key(account),
        new NodeShape(new GpuModel("nvidia-h100-80gb"), 8, 192, 2048),
        Optional.of(UsdPerGpuHour.parse(price)),
        Optional.empty(),
        Observation.Availability.AVAILABLE,
        Trust.OFFERED,
        now,
        now,
        "test");
  }
}
