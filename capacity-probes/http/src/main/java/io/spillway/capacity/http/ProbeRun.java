package io.spillway.capacity.http;

import io.spillway.capacity.spi.CapacityProbe.Result;
import io.spillway.capacity.spi.ProbeException;
import io.spillway.scheduler.market.Observation;
import io.spillway.scheduler.model.FailureClass;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * One round of one account: what is asked, what went wrong, and its end. No thread is ever blocked.
 * When the round ends, by its result, its deadline or the caller's cancellation, calls that are
 * still out are hung up and no other is made.
 */
public final class ProbeRun {
  /** A clock that is off by more is told to the operator: signatures begin to fail at minutes. */
  private static final Duration SKEW_WORTH_TELLING = Duration.ofSeconds(30);

  /** The {@code Date} header has whole seconds, and an answer takes time. */
  private static final Duration SKEW_OF_NO_INTEREST = Duration.ofSeconds(2);

  /** The share of a round that is left for its end when a part is given up. */
  private static final int RESERVE = 10;

  private final ProbeClient client;
  private final Instant now;
  private final long began;
  private final Warnings warnings;
  private final CompletableFuture<Result> outcome;
  private final AtomicReference<Duration> skewTold = new AtomicReference<>();

  ProbeRun(ProbeClient client, Instant now) {
    this.client = client;
    this.now = now;
    this.began = client.nanos();
    this.warnings = new Warnings(client.redaction());
    this.outcome = new CompletableFuture<>();
  }

  private ProbeRun(ProbeClient client, ProbeRun round) {
    this.client = client;
    this.now = round.now;
    this.began = round.began;
    this.warnings = round.warnings;
    this.outcome = round.outcome;
  }

  /** The same round at another of the provider's endpoints; it ends with this one. */
  public ProbeRun at(ProbeClient endpoint) {
    return new ProbeRun(endpoint, this);
  }

  /** When the round began, by the caller's clock: what observations are stamped with. */
  public Instant now() {
    return now;
  }

  /** Something that did not work, while the rest is good. */
  public void warn(String text) {
    warnings.add(text);
  }

  /**
   * A provider's instant on the caller's clock, never after {@link #now()}: prices and capacity are
   * not told in advance.
   */
  public Instant ownTime(Instant providers) {
    Instant own = providers.minus(client.providersClockAhead());
    return own.isAfter(now) ? now : own;
  }

  /**
   * Makes a call within the account's budget. Completes exceptionally with {@link ProbeException}
   * for whatever is not an answer in the 200s with a JSON body.
   */
  public CompletableFuture<HttpAnswer> send(HttpCall call) {
    Duration assumed = client.providersClockAhead();
    return exchange(call)
        .exceptionallyCompose(
            failure ->
                signedAtTheWrongTime(failure, assumed)
                    ? exchange(call)
                    : CompletableFuture.failedFuture(failure))
        .thenApply(answer -> read(call, answer));
  }

  private boolean signedAtTheWrongTime(Throwable failure, Duration assumed) {
    return client.signer().timed()
        && Refusals.cause(failure) instanceof ProbeException refused
        && refused.failureClass() == FailureClass.AUTH
        && client.providersClockAhead().minus(assumed).abs().compareTo(SKEW_WORTH_TELLING) > 0;
  }

  private CompletableFuture<HttpResponse<byte[]>> exchange(HttpCall call) {
    return admit(call.label())
        .thenApply(admitted -> request(call))
        .thenCompose(this::exchange)
        .exceptionallyCompose(
            failure -> CompletableFuture.failedFuture(Refusals.of(call, failure, client.limits())))
        .thenCompose(answer -> accepted(call, answer));
  }

  /**
   * Completes when the account's budget allows a call; exceptionally when that would take too long
   * or the round is over. For protocols whose calls are not made by {@link #send}.
   *
   * @param label what the call is called in messages
   */
  public CompletableFuture<Void> admit(String label) {
    Optional<Duration> wait = client.budget().take();
    if (wait.isEmpty()) {
      return CompletableFuture.failedFuture(Refusals.overBudget(label, client.budget().nextIn()));
    }
    return CompletableFuture.runAsync(
        () -> {
          if (outcome.isDone()) {
            throw new CancellationException("the round is over");
          }
        },
        after(wait.get()));
  }

  private static Executor after(Duration wait) {
    return wait.isZero()
        ? Runnable::run
        : CompletableFuture.delayedExecutor(wait.toNanos(), TimeUnit.NANOSECONDS);
  }

  private HttpRequest request(HttpCall call) {
    try {
      return client
          .signer()
          .sign(call, providersNow())
          .request(client.endpoint())
          .setHeader("Accept", "application/json")
          .setHeader("User-Agent", "spillway")
          .timeout(client.limits().call())
          .build();
    } catch (IllegalArgumentException e) {
      // Its message would show the header that is no header, and that may be the key.
      throw new MalformedException("the call cannot be made with these settings");
    }
  }

  private CompletableFuture<HttpResponse<byte[]>> exchange(HttpRequest request) {
    CompletableFuture<HttpResponse<byte[]>> answer =
        client.http().sendAsync(request, BoundedBody.of(client.limits().bytes()));
    return hungUpAtEnd(answer);
  }

  /** The call, which is cancelled when the round ends before it. */
  // The round's end is the outcome's own affair; hanging up has no result.
  @SuppressWarnings("FutureReturnValueIgnored")
  public <T> CompletableFuture<T> hungUpAtEnd(CompletableFuture<T> call) {
    outcome.whenComplete((result, failure) -> call.cancel(true));
    return call;
  }

  /** The present time by the provider's clock, as far as it is known. */
  public Instant providersNow() {
    return present().plus(client.providersClockAhead());
  }

  private Instant present() {
    return now.plusNanos(client.nanos() - began);
  }

  /** The provider said what time it is; {@link #send} learns that from the {@code Date} header. */
  public void providersClock(Instant sentAt) {
    learnClock(Duration.between(present(), sentAt));
  }

  /** The provider asked to be left alone; {@link #send} learns that from its answers. */
  public void silence(Duration time) {
    client.budget().silence(time);
  }

  /** Words of the provider for people, without the account's secrets. */
  public String redacted(String words) {
    return client.redaction().of(words);
  }

  private CompletableFuture<HttpResponse<byte[]>> accepted(
      HttpCall call, HttpResponse<byte[]> answer) {
    Optional<Instant> date = answer.headers().firstValue("Date").flatMap(RetryAfter::date);
    date.ifPresent(this::providersClock);
    if (answer.statusCode() / 100 == 2) {
      return CompletableFuture.completedFuture(answer);
    }
    ProbeException refused = Refusals.of(call, answer, date.orElse(present()), client.redaction());
    refused.retryAfter().ifPresent(client.budget()::silence);
    return CompletableFuture.failedFuture(refused);
  }

  private void learnClock(Duration ahead) {
    boolean off = ahead.abs().compareTo(SKEW_OF_NO_INTEREST) > 0;
    client.providersClockAhead(off ? ahead : Duration.ZERO);
    if (ahead.abs().compareTo(SKEW_WORTH_TELLING) > 0 && skewTold.compareAndSet(null, ahead)) {
      warn(
          "the provider's clock is "
              + ahead.abs().toSeconds()
              + " s "
              + (ahead.isNegative() ? "behind" : "ahead of")
              + " ours");
    }
  }

  private HttpAnswer read(HttpCall call, HttpResponse<byte[]> answer) {
    try {
      return new HttpAnswer(JsonView.parse(answer.body()), answer.headers());
    } catch (MalformedException e) {
      throw new MalformedException(call.label() + ": " + e.getMessage());
    }
  }

  /**
   * All items of a list that comes in pages, in their order.
   *
   * @param first the call for the first page
   * @param items those of one page
   * @param next the call for the page after it; empty at the end
   */
  public CompletableFuture<List<JsonView>> pages(
      HttpCall first,
      Function<JsonView, List<JsonView>> items,
      Function<JsonView, Optional<HttpCall>> next) {
    return answeredPages(
        first, answer -> items.apply(answer.json()), answer -> next.apply(answer.json()));
  }

  /** As {@link #pages}, where the next page stands in a header. */
  public CompletableFuture<List<JsonView>> answeredPages(
      HttpCall first,
      Function<HttpAnswer, List<JsonView>> items,
      Function<HttpAnswer, Optional<HttpCall>> next) {
    return page(first, items, next, List.of(), new HashSet<>());
  }

  private CompletableFuture<List<JsonView>> page(
      HttpCall call,
      Function<HttpAnswer, List<JsonView>> items,
      Function<HttpAnswer, Optional<HttpCall>> next,
      List<JsonView> before,
      Set<HttpCall> asked) {
    if (!asked.add(call) || asked.size() > client.limits().pages()) {
      return CompletableFuture.failedFuture(
          new MalformedException(call.label() + ": its pages do not end"));
    }
    return send(call)
        .thenCompose(
            answer -> {
              List<JsonView> all = new ArrayList<>(before);
              all.addAll(items.apply(answer));
              Optional<HttpCall> more = next.apply(answer);
              return more.isEmpty()
                  ? CompletableFuture.completedFuture(List.copyOf(all))
                  : page(more.get(), items, next, all, asked);
            });
  }

  /**
   * What could be read of a list. A row that cannot is skipped and told; when none can, that is
   * malformed.
   */
  public <T, R> List<R> rows(Collection<T> rows, Function<T, Stream<R>> read) {
    List<R> all = new ArrayList<>();
    List<String> bad = new ArrayList<>();
    for (T row : rows) {
      try {
        read.apply(row).forEach(all::add);
      } catch (MalformedException e) {
        bad.add(e.getMessage());
      }
    }
    if (!bad.isEmpty() && bad.size() == rows.size()) {
      throw new MalformedException(bad.getFirst());
    }
    if (!bad.isEmpty()) {
      warn(bad.size() + " of " + rows.size() + " rows left out, the first: " + bad.getFirst());
    }
    return all;
  }

  /**
   * Asks several parts at once, such as regions. A part that fails, or is not done shortly before
   * the round must end, is a warning; when all fail, the round fails as the part whose failure asks
   * most of the caller.
   */
  public <T, R> CompletableFuture<List<R>> each(
      Collection<T> parts, Function<T, String> name, Function<T, CompletableFuture<List<R>>> ask) {
    Parts<R> gathered = new Parts<>();
    CompletableFuture<?>[] all =
        parts.stream()
            .map(part -> gathered.take(name.apply(part), inTime(ask.apply(part))))
            .toArray(CompletableFuture[]::new);
    return CompletableFuture.allOf(all).thenApply(done -> gathered.end(this));
  }

  /**
   * A part that the round can do without: when it fails, or is not done shortly before the round
   * must end, that is a warning, and the other value serves. A bug stays a bug.
   */
  public <T> CompletableFuture<T> optional(String name, CompletableFuture<T> part, T otherwise) {
    return inTime(part)
        .exceptionallyCompose(
            failure -> {
              Throwable typed = typed(Refusals.cause(failure));
              if (!(typed instanceof ProbeException)) {
                return CompletableFuture.failedFuture(typed);
              }
              warn(name + ": " + typed.getMessage());
              return CompletableFuture.completedFuture(otherwise);
            });
  }

  /** One part that hangs must not take what the others told down with it. */
  private <T> CompletableFuture<T> inTime(CompletableFuture<T> part) {
    long round = client.limits().round().toNanos();
    long left = began + round - round / RESERVE - client.nanos();
    return part.copy()
        .orTimeout(Math.max(0, left), TimeUnit.NANOSECONDS)
        .exceptionallyCompose(
            failure ->
                CompletableFuture.failedFuture(
                    Refusals.cause(failure) instanceof TimeoutException ? overdue() : failure));
  }

  /**
   * The round's result, for the probe to return: what it observed with all warnings, or a {@link
   * ProbeException}. Cancelling it ends the round.
   */
  // The results of these stages are the outcome itself.
  @SuppressWarnings("FutureReturnValueIgnored")
  public CompletionStage<Result> end(CompletableFuture<List<Observation>> observations) {
    CompletableFuture<Void> deadline =
        new CompletableFuture<Void>()
            .completeOnTimeout(null, client.limits().round().toMillis(), TimeUnit.MILLISECONDS);
    deadline.thenRun(() -> outcome.completeExceptionally(overdue()));
    observations.whenComplete(
        (seen, failure) -> {
          if (failure == null) {
            outcome.complete(new Result(seen, warnings.all()));
          } else {
            outcome.completeExceptionally(typed(Refusals.cause(failure)));
          }
        });
    outcome.whenComplete((result, failure) -> deadline.cancel(false));
    return outcome;
  }

  private ProbeException overdue() {
    return new ProbeException(
        FailureClass.TRANSIENT,
        "not done in " + client.limits().round().toSeconds() + " s",
        Optional.empty(),
        null);
  }

  static Throwable typed(Throwable failure) {
    return failure instanceof MalformedException malformed
        ? new ProbeException(
            FailureClass.UNKNOWN, malformed.getMessage(), Optional.empty(), malformed)
        : failure;
  }
}
