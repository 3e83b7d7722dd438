package io.spillway.capacity.testkit;

import static com.github.tomakehurst.wiremock.client.WireMock.any;
import static com.github.tomakehurst.wiremock.client.WireMock.anyUrl;

import com.github.tomakehurst.wiremock.WireMockServer;
import com.github.tomakehurst.wiremock.matching.RequestPatternBuilder;
import com.github.tomakehurst.wiremock.verification.LoggedRequest;
import io.spillway.capacity.spi.AccountSettings;
import io.spillway.capacity.spi.CapacityProvider;
import java.math.BigDecimal;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What a module says to {@link ProbeContract}: its provider, its account, and how the provider
 * answers in each case. What is abstract must be said; the rest fits most interfaces. Expected
 * markets are written as {@link MarketText}.
 */
public abstract class ProbeContractSetup {
  /** The time of every round. */
  protected static final Instant NOW = Instant.parse("2026-11-30T12:00:00Z");

  /** The module's door, as {@code META-INF/services} names it. */
  protected abstract CapacityProvider provider();

  /**
   * An account at the stub, with all credentials that the module needs, discount 1. Each value of
   * at least six characters counts as a secret that may never be shown, but for {@link
   * #publicCredentials()}.
   */
  protected abstract AccountSettings account(URI stub);

  /** Credentials without which the module must refuse the account, naming the missing one. */
  protected abstract List<String> requiredCredentials();

  /** Credentials that are no secrets, such as a project's id, and may stand in addresses. */
  protected Set<String> publicCredentials() {
    return Set.of();
  }

  /** Instance types to ask for. */
  protected abstract Set<String> interest();

  /** All calls that the module may make; none of them changes anything at the provider. */
  protected abstract List<RequestPatternBuilder> reads();

  /** The provider sells something: the full answer, in one page. */
  protected abstract void happy(WireMockServer stub);

  /**
   * The provider sells something in each of those regions; for measurements.
   *
   * @return false if {@link #happy} is as good
   */
  protected boolean happyIn(WireMockServer stub, List<String> regions) {
    return false;
  }

  /** What is then observed. Include spot and reserved capacity where the provider has them. */
  protected abstract String happyMarket();

  /** All lists of the provider are empty. */
  protected abstract void empty(WireMockServer stub);

  /**
   * What is then observed: nothing, unless the provider says that what it does not list is gone.
   */
  protected String emptyMarket() {
    return "";
  }

  /**
   * The market of {@link #happy} in at least two pages.
   *
   * @return false if the interface has no pages
   */
  protected boolean paged(WireMockServer stub) {
    return false;
  }

  /**
   * Every page names the same next one.
   *
   * @return false if the interface has no pages
   */
  protected boolean endless(WireMockServer stub) {
    return false;
  }

  /** One region, endpoint, list or row fails; the rest is good. */
  protected abstract void partial(WireMockServer stub);

  /** What is then observed. What was not answered is absent, not unavailable. */
  protected abstract String partialMarket();

  /** Words of the warning that name the part. */
  protected abstract String partialWarning();

  /** Where a call goes if its address does not say so: an SDK's regions share one endpoint. */
  protected String place(LoggedRequest call) {
    return "";
  }

  /** Answers that stand in every case, such as a token; give them {@code atPriority(1)}. */
  protected void always(WireMockServer stub) {}

  /** The provider's way to say "too many calls". */
  protected void throttled(WireMockServer stub) {
    stub.stubFor(
        any(anyUrl())
            .willReturn(
                ProbeContract.json(429, "{\"error\":{\"message\":\"Too many requests\"}}")
                    .withHeader("Retry-After", "7")));
  }

  /** When the caller is then told to come again. */
  protected Optional<Duration> throttledFor() {
    return Optional.of(Duration.ofSeconds(7));
  }

  /** The provider's way to refuse a key; it echoes all of the account's secrets. */
  protected void refused(WireMockServer stub, int status) {
    String echo =
        String.join(" ", account(URI.create("https://example.com")).credentials().values());
    stub.stubFor(
        any(anyUrl())
            .willReturn(
                ProbeContract.json(
                    status,
                    "{\"error\":{\"code\":\"denied\",\"message\":\"no such key: "
                        + echo
                        + "\"}}")));
  }

  /** The provider's way to fail with those words. */
  protected void broken(WireMockServer stub, String words) {
    stub.stubFor(
        any(anyUrl())
            .willReturn(
                ProbeContract.json(
                    500, "{\"error\":{\"code\":\"internal\",\"message\":\"" + words + "\"}}")));
  }

  /**
   * Whether a clock that is off by ten minutes is told as a warning. False only where an SDK hides
   * the {@code Date} header; the times of observations are right all the same.
   */
  protected boolean tellsSkew() {
    return true;
  }

  /** The account with another discount. */
  protected static AccountSettings with(AccountSettings account, BigDecimal discount) {
    return new AccountSettings(
        account.name(),
        account.accountId(),
        account.regions(),
        account.interval(),
        discount,
        account.endpoint(),
        account.credentials());
  }

  /** The account with other credentials. */
  protected static AccountSettings with(AccountSettings account, Map<String, String> credentials) {
    return new AccountSettings(
        account.name(),
        account.accountId(),
        account.regions(),
        account.interval(),
        account.discount(),
        account.endpoint(),
        credentials);
  }
}
