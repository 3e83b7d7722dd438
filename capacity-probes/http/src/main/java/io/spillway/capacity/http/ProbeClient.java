package io.spillway.capacity.http;

import io.spillway.capacity.spi.AccountSettings;
import io.spillway.capacity.spi.CapacityProbe;
import java.net.URI;
import java.net.http.HttpClient;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.function.LongSupplier;

/**
 * What the calls of one account have in common. Immutable but for what is learnt of the provider's
 * clock; any thread. All accounts share one connection pool, whose threads are virtual.
 */
public final class ProbeClient {
  private static final Duration CONNECT = Duration.ofSeconds(5);
  private static final Set<String> LOOPBACK = Set.of("localhost", "127.0.0.1", "[::1]", "::1");

  private final URI endpoint;
  private final HttpCall.Signer signer;
  private final CallBudget budget;
  private final Redaction redaction;
  private final Limits limits;
  private final LongSupplier nanos;

  private volatile Duration providersClockAhead = Duration.ZERO;

  /**
   * @param endpoint the provider's public one, unless the settings name another
   * @throws IllegalArgumentException if credentials would travel in clear text over a network
   */
  public ProbeClient(
      AccountSettings account, URI endpoint, HttpCall.Signer signer, CallBudget budget) {
    this(account, endpoint, signer, budget, Limits.DEFAULT);
  }

  /** As above, with other limits. */
  public ProbeClient(
      AccountSettings account,
      URI endpoint,
      HttpCall.Signer signer,
      CallBudget budget,
      Limits limits) {
    this.endpoint = safe(account.endpoint().orElse(endpoint));
    this.signer = signer;
    this.budget = budget;
    this.redaction = new Redaction(account.credentials().values());
    this.limits = limits;
    this.nanos = System::nanoTime;
  }

  private static URI safe(URI endpoint) {
    String host = endpoint.getHost();
    boolean clear = "http".equals(endpoint.getScheme()) && host != null && LOOPBACK.contains(host);
    if (!clear && !"https".equals(endpoint.getScheme())) {
      throw new IllegalArgumentException(
          "endpoint must be https, or http on the loopback address: " + endpoint);
    }
    return endpoint;
  }

  /**
   * Begins a round.
   *
   * @param now the caller's time, which the observations carry
   */
  public ProbeRun run(Instant now) {
    return new ProbeRun(this, now);
  }

  /** What is left of the account's calls, for {@code CapacityProbe.budget()}. */
  public Optional<CapacityProbe.Allowance> allowance() {
    return Optional.of(budget.allowance());
  }

  /** The shared pool, created when the first account asks. */
  HttpClient http() {
    return Pool.SHARED;
  }

  URI endpoint() {
    return endpoint;
  }

  HttpCall.Signer signer() {
    return signer;
  }

  CallBudget budget() {
    return budget;
  }

  Redaction redaction() {
    return redaction;
  }

  Limits limits() {
    return limits;
  }

  long nanos() {
    return nanos.getAsLong();
  }

  Duration providersClockAhead() {
    return providersClockAhead;
  }

  void providersClockAhead(Duration ahead) {
    providersClockAhead = ahead;
  }

  /**
   * Bounds of calls and rounds.
   *
   * @param call time for one call, to the last byte
   * @param round time for a whole round; under the 30 s after which the caller cancels
   * @param bytes of one answer
   * @param pages of one list
   */
  public record Limits(Duration call, Duration round, int bytes, int pages) {
    public static final Limits DEFAULT =
        new Limits(Duration.ofSeconds(10), Duration.ofSeconds(25), 16 << 20, 200);
  }

  private static final class Pool {
    static final HttpClient SHARED =
        HttpClient.newBuilder()
            .connectTimeout(CONNECT)
            // A redirect would carry the credentials to wherever it points.
            .followRedirects(HttpClient.Redirect.NEVER)
            .executor(Executors.newVirtualThreadPerTaskExecutor())
            .build();
  }
}
