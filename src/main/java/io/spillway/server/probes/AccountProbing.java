package io.spillway.server.probes;

import io.micrometer.core.instrument.MeterRegistry;
import io.spillway.capacity.spi.CapacityProbe;
import io.spillway.capacity.spi.ProbeException;
import io.spillway.scheduler.model.FailureClass;
import io.spillway.server.providers.Providers;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.jboss.logging.Logger;

/**
 * One account's probe over time: asked while this replica leads, never while its last question is
 * still out, again when {@link ProbePace} says. Shares nothing with other accounts that a slow or
 * failing one could hold.
 */
final class AccountProbing {
  private static final Logger LOG = Logger.getLogger(AccountProbing.class);
  private static final Duration LOOK_FOR_THE_LEAD = Duration.ofSeconds(1);
  private static final int MAX_WORDS = 500;

  private final Providers.Account account;
  private final Guard guard;
  private final ProbePace pace;
  private final Surroundings around;
  private final String name;
  private volatile AccountHealth health;
  private volatile Optional<Question> out = Optional.empty();

  /** What it needs of the server. */
  record Surroundings(
      Market market,
      Consumer<Providers.Account> memory,
      InstantSource clock,
      Later timer,
      Executor threads,
      MeterRegistry metrics) {}

  AccountProbing(
      Providers.Account account, String market, Guard guard, ProbePace pace, Surroundings around) {
    this.account = account;
    this.guard = guard;
    this.pace = pace;
    this.around = around;
    this.name = account.provider() + '/' + account.settings().name();
    this.health = AccountHealth.waiting(account.provider(), market, account.settings().name());
  }

  AccountHealth health() {
    return health;
  }

  /** Asks for the first time after that delay. */
  void begin(Duration delay) {
    around.timer().after(delay, this::run);
  }

  private void run() {
    if (!around.market().leading()) {
      health = health.resting();
      around.timer().after(LOOK_FOR_THE_LEAD, this::run);
      return;
    }
    Instant started = around.clock().instant();
    guard
        .run(
            () ->
                around.market().interest(health.market()).thenCompose(types -> ask(types, started)))
        .whenComplete((result, failure) -> ended(started, result, failure));
  }

  private CompletionStage<CapacityProbe.Result> ask(Set<String> interest, Instant now) {
    if (out.isPresent() && !out.get().over()) {
      return CompletableFuture.failedFuture(
          new ProbeException(
              FailureClass.TRANSIENT,
              "the module has not come back from an earlier question",
              Optional.empty(),
              null));
    }
    Question question = Question.ask(around.threads(), account.probe(), interest, now);
    out = Optional.of(question);
    return question.answer();
  }

  // A throw here would end the account for good, silently.
  private void ended(Instant started, CapacityProbe.Result result, Throwable failure) {
    Duration wait = account.settings().interval();
    try {
      Duration took = Duration.between(started, around.clock().instant());
      wait = failure == null ? succeeded(started, took, result) : failed(started, took, failure);
    } catch (RuntimeException bug) {
      LOG.errorf(bug, "account=%s the end of a probe's run could not be noted", name);
    } finally {
      around.timer().after(wait, this::run);
    }
  }

  private Duration succeeded(Instant started, Duration took, CapacityProbe.Result result) {
    // Counted from its begin, so that a slow probe is not asked less often than it can answer.
    Duration wait = shortened(pace.afterSuccess(), took);
    AccountHealth before = health;
    List<String> warnings = result.warnings().stream().map(AccountProbing::shortly).toList();
    health = before.succeeded(run(started, took, wait), result.observations().size(), warnings);
    if (before.state() == AccountHealth.State.FAILING) {
      LOG.infof("account=%s probe works again after %d failures", name, before.failures());
    }
    if (!warnings.isEmpty() && !warnings.equals(before.warnings())) {
      LOG.warnf("account=%s parts of the probe failed: %s", name, String.join("; ", warnings));
    }
    time(warnings.isEmpty() ? "ok" : "partial", took);
    around.market().tell("probe:" + name, result.observations());
    around.memory().accept(account);
    return wait;
  }

  private Duration failed(Instant started, Duration took, Throwable failure) {
    Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
    out.filter(question -> !question.over()).ifPresent(Question::giveUp);
    AccountHealth before = health;
    FailureClass kind = kind(cause);
    Optional<Duration> retryAfter =
        cause instanceof ProbeException known ? known.retryAfter() : Optional.empty();
    Duration wait = pace.afterFailure(kind, retryAfter, before.failures() + 1);
    health = before.failed(run(started, took, wait), kind, words(cause));
    // Told when it begins and when its kind changes: a broken account must not fill the log.
    if (!before.failure().equals(Optional.of(kind))) {
      if (isBug(cause)) {
        LOG.errorf(cause, "account=%s probe failed by a bug of its module", name);
      } else {
        LOG.warnf("account=%s probe failed (%s): %s", name, kind, words(cause));
      }
    }
    time(kind.name().toLowerCase(Locale.ROOT), took);
    return wait;
  }

  private AccountHealth.Run run(Instant started, Duration took, Duration wait) {
    return new AccountHealth.Run(
        started, took, started.plus(took).plus(wait), account.probe().budget());
  }

  private static Duration shortened(Duration interval, Duration by) {
    Duration rest = interval.minus(by);
    return rest.isNegative() ? Duration.ZERO : rest;
  }

  private static FailureClass kind(Throwable cause) {
    if (cause instanceof ProbeException known) {
      return known.failureClass();
    }
    return isTimeout(cause) ? FailureClass.TRANSIENT : FailureClass.UNKNOWN;
  }

  private static boolean isBug(Throwable cause) {
    return !(cause instanceof ProbeException) && !isTimeout(cause);
  }

  private static boolean isTimeout(Throwable cause) {
    return cause instanceof TimeoutException
        || cause instanceof org.eclipse.microprofile.faulttolerance.exceptions.TimeoutException;
  }

  private static String words(Throwable cause) {
    if (isTimeout(cause)) {
      return "no answer within " + ProbeGuard.TIMEOUT.toSeconds() + " s";
    }
    return cause.getMessage() == null
        ? cause.getClass().getSimpleName()
        : shortly(cause.getMessage());
  }

  private static String shortly(String words) {
    return words.length() <= MAX_WORDS ? words : words.substring(0, MAX_WORDS) + '…';
  }

  private void time(String result, Duration took) {
    around
        .metrics()
        .timer("spillway.probe.duration", "provider", account.provider(), "result", result)
        .record(took);
  }
}
