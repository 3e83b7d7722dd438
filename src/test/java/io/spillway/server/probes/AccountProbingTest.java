package io.spillway.server.probes;

import static io.spillway.server.probes.ProbeWorld.INTERVAL;
import static io.spillway.server.probes.ProbeWorld.START;
import static io.spillway.server.probes.ProbeWorld.fails;
import static io.spillway.server.probes.ProbeWorld.finds;
import static org.assertj.core.api.Assertions.assertThat;

import io.spillway.capacity.spi.CapacityProbe;
import io.spillway.capacity.spi.ProbeException;
import io.spillway.scheduler.model.FailureClass;
import io.spillway.server.probes.AccountHealth.State;
import io.spillway.server.probes.ProbeWorld.Script;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class AccountProbingTest {
  private final ProbeWorld world = new ProbeWorld();

  @Test
  void a_healthy_account_is_asked_at_its_interval_and_its_news_become_inputs() {
    Script script = new Script(now -> finds("prod", "2.00", now));
    AccountProbing account = world.account("prod", script);

    world.advance(Duration.ofSeconds(150));

    assertThat(script.asked).containsExactly(at(0), at(60), at(120));
    assertThat(world.told).as("the same price is told once").containsExactly(1);
    AccountHealth health = account.health();
    assertThat(health.state()).isEqualTo(State.HEALTHY);
    assertThat(health.lastSuccess()).contains(at(120));
    assertThat(health.nextRun()).contains(at(180));
    assertThat(health.backOffUntil()).isEmpty();
    assertThat(health.observations()).isEqualTo(1);
  }

  @Test
  void an_account_that_fails_or_never_answers_slows_no_other() {
    List<CompletableFuture<CapacityProbe.Result>> never = new ArrayList<>();
    AccountProbing hangs =
        world.account(
            "hangs",
            new Script(
                now -> {
                  never.add(new CompletableFuture<>());
                  return never.getLast();
                }));
    AccountProbing fails =
        world.account("fails", new Script(now -> fails(new IllegalStateException("a bug"))));
    AccountProbing throwing =
        world.account(
            "throws",
            new Script(
                now -> {
                  throw new IllegalStateException("a bug before any answer");
                }));
    Script good = new Script(now -> finds("good", "2.00", now));
    world.account("good", good);

    world.advance(Duration.ofSeconds(125));

    assertThat(good.asked).containsExactly(at(0), at(60), at(120));
    assertThat(hangs.health().state()).isEqualTo(State.FAILING);
    assertThat(hangs.health().detail()).isEqualTo("no answer within 30 s");
    assertThat(never.getFirst()).as("nobody waits for it any more").isCancelled();
    assertThat(fails.health().failure()).contains(FailureClass.UNKNOWN);
    assertThat(fails.health().detail()).isEqualTo("a bug");
    assertThat(throwing.health().detail()).isEqualTo("a bug before any answer");
    assertThat(throwing.health().nextRun()).as("a bug waits for the interval").contains(at(180));
  }

  @Test
  void a_market_that_stands_still_stays_fresh_until_its_account_fails_and_then_ages() {
    Script failing = new Script(now -> finds("prod", "2.00", now));
    world.account("prod", failing);
    world.account("other", new Script(now -> finds("other", "2.00", now)));

    world.advance(Duration.ofSeconds(605));
    failing.answer = now -> fails(failure(FailureClass.TRANSIENT));
    world.advance(Duration.ofMinutes(10));

    assertThat(world.told).as("the scheduler was told once of each").containsExactly(1, 1);
    assertThat(world.lastSeen.of(ProbeWorld.key("prod"))).contains(at(600));
    assertThat(world.lastSeen.of(ProbeWorld.key("other"))).contains(at(1_200));
  }

  @Test
  void what_a_round_taught_its_module_is_kept_for_other_replicas() {
    Script script = new Script(now -> fails(failure(FailureClass.TRANSIENT)));
    world.account("prod", script);
    world.advance(Duration.ofSeconds(4));
    assertThat(world.learnt).isEmpty();

    script.answer = now -> finds("prod", "2.00", now);
    world.advance(Duration.ofSeconds(4));

    assertThat(world.learnt).extracting(account -> account.settings().name()).containsOnly("prod");
  }

  @Test
  void a_throttled_account_is_left_alone_as_long_as_its_provider_says() {
    Script script = new Script(now -> fails(throttled(Optional.of(Duration.ofSeconds(100)))));
    AccountProbing account = world.account("prod", script);

    world.advance(Duration.ofSeconds(101));

    assertThat(script.asked).containsExactly(at(0), at(100));
    assertThat(account.health().backOffUntil()).contains(at(200));
    assertThat(account.health().failure()).contains(FailureClass.THROTTLED);
    assertThat(account.health().failures()).isEqualTo(2);
  }

  @Test
  void a_throttled_account_without_a_word_or_with_an_empty_one_backs_off_by_itself() {
    Script silent = new Script(now -> fails(throttled(Optional.empty())));
    Script zero = new Script(now -> fails(throttled(Optional.of(Duration.ZERO))));
    world.account("silent", silent);
    world.account("zero", zero);

    world.advance(Duration.ofSeconds(76));

    assertThat(silent.asked).containsExactly(at(0), at(5), at(15), at(35), at(75));
    assertThat(zero.asked).isEqualTo(silent.asked);
  }

  @Test
  void trouble_is_tried_again_soon_and_then_ever_less_often_up_to_a_quarter_of_an_hour() {
    Script script = new Script(now -> fails(failure(FailureClass.TRANSIENT)));
    AccountProbing account = world.account("prod", script);

    world.advance(Duration.ofHours(2));

    List<Long> gaps = new ArrayList<>();
    for (int i = 1; i < script.asked.size(); i++) {
      gaps.add(Duration.between(script.asked.get(i - 1), script.asked.get(i)).toSeconds());
    }
    assertThat(gaps).startsWith(5L, 10L, 20L, 40L, 80L, 160L, 320L, 640L, 900L, 900L);

    script.answer = now -> finds("prod", "2.00", now);
    world.advance(Duration.ofMinutes(16));
    assertThat(account.health().state()).isEqualTo(State.HEALTHY);
    assertThat(account.health().failures()).isZero();
    script.answer = now -> fails(failure(FailureClass.TRANSIENT));
    world.advance(INTERVAL);
    assertThat(account.health().failures()).as("the back-off begins anew").isBetween(1, 5);
  }

  @Test
  void refused_credentials_are_tried_hourly_and_shown() {
    Script script =
        new Script(
            now ->
                fails(
                    new ProbeException(
                        FailureClass.AUTH,
                        "status 401: the key is not known",
                        Optional.empty(),
                        null)));
    AccountProbing account = world.account("prod", script);

    world.advance(Duration.ofMinutes(121));

    assertThat(script.asked).containsExactly(at(0), at(3_600), at(7_200));
    assertThat(account.health().state()).isEqualTo(State.FAILING);
    assertThat(account.health().detail()).isEqualTo("status 401: the key is not known");
    assertThat(account.health().backOffUntil()).contains(at(10_800));
  }

  @Test
  void a_failing_account_keeps_its_last_observation_which_ages() {
    Script script = new Script(now -> finds("prod", "2.00", now));
    AccountProbing account = world.account("prod", script);
    world.advance(Duration.ofSeconds(1));
    script.answer = now -> fails(failure(FailureClass.INVALID));

    world.advance(Duration.ofMinutes(30));

    assertThat(world.state.observation(ProbeWorld.key("prod")).orElseThrow().observedAt())
        .isEqualTo(START);
    assertThat(account.health().lastSuccess()).contains(START);
    assertThat(account.health().observations()).as("of the last good run").isEqualTo(1);
    assertThat(account.health().failures()).isEqualTo(30);
  }

  @Test
  void a_partial_answer_is_used_and_says_what_is_missing() {
    AccountProbing account =
        world.account(
            "prod", new Script(now -> finds("prod", "2.00", now, "region eu-west-1: status 500")));

    world.advance(Duration.ofSeconds(1));

    assertThat(account.health().state()).isEqualTo(State.PARTIAL);
    assertThat(account.health().warnings()).containsExactly("region eu-west-1: status 500");
    assertThat(world.told).containsExactly(1);
    assertThat(
            world
                .metrics
                .timer("spillway.probe.duration", "provider", "cloud", "result", "partial")
                .count())
        .isEqualTo(1);
  }

  @Test
  void a_slow_probe_counts_its_interval_from_its_begin_and_is_never_asked_twice_at_once() {
    List<CompletableFuture<CapacityProbe.Result>> pending = new ArrayList<>();
    Script script =
        new Script(
            now -> {
              pending.add(new CompletableFuture<>());
              return pending.getLast();
            });
    world.account("prod", script);
    world.advance(Duration.ofSeconds(20));
    pending.getFirst().complete(new CapacityProbe.Result(List.of(), List.of()));

    world.advance(Duration.ofSeconds(40));

    assertThat(script.asked).containsExactly(at(0), at(60));
  }

  @Test
  void a_module_that_does_not_give_up_its_question_is_not_asked_another() {
    CompletableFuture<CapacityProbe.Result> stubborn =
        new CompletableFuture<>() {
          @Override
          public boolean cancel(boolean interrupt) {
            return false;
          }
        };
    Script script = new Script(now -> stubborn);
    AccountProbing account = world.account("prod", script);

    world.advance(Duration.ofSeconds(100));
    assertThat(script.asked).hasSize(1);
    assertThat(account.health().detail())
        .isEqualTo("the module has not come back from an earlier question");

    script.answer = now -> finds("prod", "2.00", now);
    stubborn.complete(new CapacityProbe.Result(List.of(), List.of()));
    world.advance(Duration.ofMinutes(15));
    assertThat(account.health().state()).isEqualTo(State.HEALTHY);
  }

  @Test
  void only_the_leader_asks_and_a_replica_that_lost_the_lead_promises_no_next_run() {
    world.leading = false;
    Script script = new Script(now -> finds("prod", "2.00", now));
    AccountProbing account = world.account("prod", script);
    world.advance(Duration.ofSeconds(10));
    assertThat(script.asked).isEmpty();
    assertThat(account.health().state()).isEqualTo(State.WAITING);

    world.leading = true;
    world.advance(Duration.ofSeconds(1));
    assertThat(script.asked).hasSize(1);

    world.leading = false;
    world.advance(INTERVAL);
    assertThat(script.asked).hasSize(1);
    assertThat(account.health().nextRun()).isEmpty();
    assertThat(account.health().lastSuccess()).isPresent();
  }

  @Test
  void observations_that_the_store_could_not_take_are_told_by_the_next_run() {
    world.storeDown = true;
    world.account("prod", new Script(now -> finds("prod", "2.00", now)));
    world.advance(Duration.ofSeconds(10));
    assertThat(world.told).isEmpty();

    world.storeDown = false;
    world.advance(INTERVAL);

    assertThat(world.told).containsExactly(1);
  }

  @Test
  void the_time_of_each_kind_of_end_is_measured() {
    Script script = new Script(now -> fails(throttled(Optional.empty())));
    world.account("prod", script);
    world.advance(Duration.ofSeconds(1));
    script.answer = now -> finds("prod", "2.00", now);
    world.advance(Duration.ofSeconds(10));

    assertThat(
            world
                .metrics
                .timer("spillway.probe.duration", "provider", "cloud", "result", "throttled")
                .count())
        .isEqualTo(1);
    assertThat(
            world
                .metrics
                .timer("spillway.probe.duration", "provider", "cloud", "result", "ok")
                .totalTime(TimeUnit.SECONDS))
        .isZero();
  }

  private static ProbeException failure(FailureClass kind) {
    return new ProbeException(kind, "status 500", Optional.empty(), null);
  }

  private static ProbeException throttled(Optional<Duration> retryAfter) {
    return new ProbeException(FailureClass.THROTTLED, "status 429", retryAfter, null);
  }

  private static Instant at(long seconds) {
    return START.plusSeconds(seconds);
  }
}
