package io.spillway.capacity.testkit;

import static com.github.tomakehurst.wiremock.client.WireMock.aResponse;
import static com.github.tomakehurst.wiremock.client.WireMock.any;
import static com.github.tomakehurst.wiremock.client.WireMock.anyUrl;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.assertj.core.api.Assertions.fail;

import com.github.tomakehurst.wiremock.WireMockServer;
import com.github.tomakehurst.wiremock.client.ResponseDefinitionBuilder;
import com.github.tomakehurst.wiremock.http.Fault;
import com.github.tomakehurst.wiremock.stubbing.ServeEvent;
import io.spillway.capacity.spi.AccountSettings;
import io.spillway.capacity.spi.CapacityProbe;
import io.spillway.capacity.spi.CapacityProbe.Result;
import io.spillway.capacity.spi.ProbeException;
import io.spillway.scheduler.market.Observation;
import io.spillway.scheduler.model.CapacityType;
import io.spillway.scheduler.model.FailureClass;
import io.spillway.scheduler.model.MarketKey;
import io.spillway.scheduler.model.UsdPerGpuHour;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What every provider's probe keeps, whatever its provider does. A module's test extends it and
 * says, in {@link ProbeContractSetup}, how its provider answers; the README of this module shows
 * how. The provider is {@link StubCloud} on the loopback address, so it works for modules with an
 * SDK too, whatever protocol that speaks over HTTP.
 */
public abstract class ProbeContract extends ProbeContractSetup {
  private static final Duration AT_ONCE = Duration.ofSeconds(2);
  private static final int HUGE = 24 << 20;

  private WireMockServer stub;
  private AccountSettings account;
  private SoundResult sound;

  @BeforeEach
  void a_cloud_that_knows_nothing_yet() {
    stub = StubCloud.fresh(NOW);
    account = account(StubCloud.uri());
    sound = new SoundResult(account, provider().marketOf(account), NOW, secrets(account));
    always(stub);
  }

  /** Nothing but reading is ever asked, and keys never travel in an address. */
  @AfterEach
  void nothing_was_asked_but_what_the_module_declares() {
    for (ServeEvent event : stub.getAllServeEvents()) {
      String asked = event.getRequest().getMethod() + " " + event.getRequest().getUrl();
      assertThat(
              reads().stream()
                  .anyMatch(read -> read.build().match(event.getRequest()).isExactMatch()))
          .as("not declared as a read: " + asked + "\n" + event.getRequest().getBodyAsString())
          .isTrue();
      sound.shown(event.getRequest().getUrl());
    }
  }

  @Test
  void what_is_sold_is_seen_with_price_availability_and_trust() throws Exception {
    happy(stub);

    Result result = observe();

    assertThat(MarketText.of(result.observations())).isEqualTo(MarketText.lines(happyMarket()));
    assertThat(result.warnings()).isEmpty();
  }

  @Test
  void a_second_round_sees_the_same_and_an_interest_in_nothing_breaks_nothing() throws Exception {
    happy(stub);
    try (CapacityProbe probe = provider().probe(account)) {
      Result first = observe(probe, interest());
      Result second = observe(probe, interest());
      assertThat(MarketText.of(second.observations()))
          .isEqualTo(MarketText.of(first.observations()));
      observe(probe, Set.of());
      observe(probe, Set.of("no-such-type", "", "'; drop"));
    }
  }

  @Test
  void what_is_left_of_the_calls_is_told() throws Exception {
    happy(stub);
    try (CapacityProbe probe = provider().probe(account)) {
      observe(probe, interest());

      CapacityProbe.Allowance left = probe.budget().orElseThrow();

      assertThat(left.limit()).isPositive();
      assertThat(left.left()).isBetween(0, left.limit());
      assertThat(left.window()).isPositive();
    }
  }

  @Test
  void nothing_told_is_not_told_to_be_gone() throws Exception {
    empty(stub);

    assertThat(MarketText.of(observe().observations())).isEqualTo(MarketText.lines(emptyMarket()));
  }

  /** Of an interface without pages each list is asked for once. */
  @Test
  void all_pages_are_read() throws Exception {
    if (!paged(stub)) {
      happy(stub);
    }

    assertThat(MarketText.of(observe().observations())).isEqualTo(MarketText.lines(happyMarket()));
    assertThat(stub.getAllServeEvents())
        .extracting(
            event ->
                place(event.getRequest())
                    + event.getRequest().getUrl()
                    + event.getRequest().getBodyAsString())
        .doesNotHaveDuplicates();
  }

  @Test
  void pages_that_never_end_end() {
    if (endless(stub)) {
      assertThat(failure().failureClass()).isIn(FailureClass.UNKNOWN, FailureClass.TRANSIENT);
    } else {
      assertThat(paged(stub))
          .as("an interface with pages can be made to have no last one")
          .isFalse();
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "<html><body>502 Bad Gateway</body></html>",
        "",
        "{\"data\": [{\"na",
        "[[[[[[[",
        "{\"data\": 7, \"items\": \"x\", \"error\": []}",
        "\"text\"",
        "\u0000\uFFFD\u0007"
      })
  void an_answer_that_is_none_is_a_typed_failure(String body) {
    stub.stubFor(any(anyUrl()).willReturn(aResponse().withStatus(200).withBody(body)));

    assertThat(failure().failureClass())
        .isIn(FailureClass.UNKNOWN, FailureClass.TRANSIENT, FailureClass.INVALID);
  }

  @Test
  void a_slow_provider_holds_nobody_up_and_the_caller_can_leave() throws Exception {
    stub.stubFor(any(anyUrl()).willReturn(aResponse().withStatus(200).withFixedDelay(4_000)));
    CapacityProbe probe = provider().probe(account);

    long began = System.nanoTime();
    CompletableFuture<Result> round = probe.observe(interest(), NOW).toCompletableFuture();
    assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(AT_ONCE);
    assertThat(round).isNotDone();
    assertThat(catchThrowable(() -> round.get(200, TimeUnit.MILLISECONDS)))
        .isInstanceOf(TimeoutException.class);
    round.cancel(true);
    probe.close();

    assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(AT_ONCE.plusMillis(500));
  }

  @Test
  void a_throttled_round_says_when_to_come_again_and_does_not_hammer() throws Exception {
    happy(stub);
    observe();
    int calls = stub.getAllServeEvents().size();
    stub.resetAll();
    always(stub);
    throttled(stub);

    ProbeException failure = failure();

    assertThat(failure.failureClass()).isEqualTo(FailureClass.THROTTLED);
    // Another call of the round may have been told first; then this one was not made.
    assertThat(failure.retryAfter().isPresent()).isEqualTo(throttledFor().isPresent());
    throttledFor()
        .ifPresent(
            time ->
                assertThat(failure.retryAfter().orElseThrow())
                    .isBetween(time.minus(AT_ONCE), time));
    assertThat(stub.getAllServeEvents()).hasSizeLessThanOrEqualTo(calls);
  }

  @ParameterizedTest
  @ValueSource(ints = {401, 403})
  void a_key_that_does_not_open_is_told_as_such_without_showing_it(int status) {
    refused(stub, status);

    ProbeException failure = failure();

    assertThat(failure.failureClass()).isEqualTo(FailureClass.AUTH);
    assertThat(failure.getMessage()).isNotBlank();
  }

  @ParameterizedTest
  @ValueSource(strings = {"Something went wrong", "Internal error"})
  void a_fault_of_the_provider_is_a_fault(String words) {
    broken(stub, words);

    assertThat(failure().failureClass()).isEqualTo(FailureClass.TRANSIENT);
  }

  @Test
  void a_fault_that_speaks_of_capacity_is_no_fault() {
    broken(stub, "Out of capacity for this shape");

    assertThat(failure().failureClass()).isEqualTo(FailureClass.NO_CAPACITY);
  }

  @ParameterizedTest
  @EnumSource(
      value = Fault.class,
      names = {"CONNECTION_RESET_BY_PEER", "EMPTY_RESPONSE"})
  void a_broken_connection_is_tried_again_by_the_caller(Fault fault) {
    stub.stubFor(any(anyUrl()).willReturn(aResponse().withFault(fault)));

    assertThat(failure().failureClass()).isEqualTo(FailureClass.TRANSIENT);
  }

  @ParameterizedTest
  @ValueSource(longs = {600, -600})
  void a_providers_clock_that_is_off_moves_nothing_into_the_future(long seconds) throws Exception {
    happy(stub);
    StubCloud.clock(NOW.plusSeconds(seconds));

    Result result = observe();

    assertThat(MarketText.of(result.observations())).isEqualTo(MarketText.lines(happyMarket()));
    if (tellsSkew()) {
      assertThat(result.warnings()).anyMatch(warning -> warning.contains("clock"));
    }
  }

  @Test
  void a_huge_answer_is_not_swallowed() {
    byte[] huge = new byte[HUGE];
    java.util.Arrays.fill(huge, (byte) ' ');
    stub.stubFor(any(anyUrl()).willReturn(aResponse().withStatus(200).withBody(huge)));

    assertThat(failure().failureClass())
        .isIn(FailureClass.UNKNOWN, FailureClass.TRANSIENT, FailureClass.INVALID);
  }

  @Test
  void a_part_that_fails_is_a_warning_and_the_rest_is_good() throws Exception {
    partial(stub);

    Result result = observe();

    assertThat(MarketText.of(result.observations())).isEqualTo(MarketText.lines(partialMarket()));
    assertThat(result.warnings()).isNotEmpty();
    assertThat(String.join("\n", result.warnings())).contains(partialWarning());
  }

  @Test
  void the_customers_discount_is_a_factor_on_list_prices() throws Exception {
    happy(stub);
    Map<MarketKey, UsdPerGpuHour> list = listPrices(observe());

    Result result = observe(provider().probe(with(account, new BigDecimal("0.5"))), interest());

    Map<MarketKey, UsdPerGpuHour> paid = listPrices(result);
    assertThat(paid.keySet()).isEqualTo(list.keySet());
    paid.forEach(
        (key, price) ->
            assertThat(Math.abs(2 * price.micros() - list.get(key).micros()))
                .as(key.text())
                .isLessThanOrEqualTo(1));
  }

  @Test
  void settings_that_cannot_work_are_named_and_not_shown() {
    for (String key : requiredCredentials()) {
      Map<String, String> others = new HashMap<>(account.credentials());
      assertThat(others.remove(key)).as("credentials." + key).isNotNull();
      Throwable failure = catchThrowable(() -> provider().probe(with(account, others)).close());
      assertThat(failure).isInstanceOf(IllegalArgumentException.class).hasMessageContaining(key);
      sound.shown(failure);
    }
    assertThat(catchThrowable(() -> provider().probe(with(account, BigDecimal.ZERO)).close()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("discount");
  }

  @Test
  void the_module_is_found_by_its_name_and_knows_its_gpus() {
    assertThat(ServiceLoader.load(io.spillway.capacity.spi.CapacityProvider.class))
        .filteredOn(found -> found.name().equals(provider().name()))
        .singleElement()
        .satisfies(found -> assertThat(found).hasSameClassAs(provider()));
    assertThat(provider().gpuAliases()).isNotEmpty();
    try (CapacityProbe probe = provider().probe(account)) {
      sound.shown(probe.toString());
    }
  }

  /** One round that must end well; the result is checked for what holds of every result. */
  protected final Result observe() throws Exception {
    try (CapacityProbe probe = provider().probe(account)) {
      return observe(probe, interest());
    }
  }

  /** The same of another account at the same cloud; it shares the account's name and secrets. */
  protected final Result observe(AccountSettings other) throws Exception {
    try (CapacityProbe probe = provider().probe(other)) {
      Result result =
          probe.observe(interest(), NOW).toCompletableFuture().get(25, TimeUnit.SECONDS);
      new SoundResult(other, provider().marketOf(other), NOW, secrets(other)).check(result);
      return result;
    }
  }

  private Result observe(CapacityProbe probe, Set<String> interest) throws Exception {
    Result result = probe.observe(interest, NOW).toCompletableFuture().get(25, TimeUnit.SECONDS);
    sound.check(result);
    return result;
  }

  /** One round that must fail as the interface says; the failure is checked for secrets. */
  protected final ProbeException failure() {
    try (CapacityProbe probe = provider().probe(account)) {
      Result result =
          probe.observe(interest(), NOW).toCompletableFuture().get(25, TimeUnit.SECONDS);
      return fail("observed in spite of it: " + result);
    } catch (ExecutionException e) {
      sound.shown(e.getCause());
      assertThat(e.getCause()).isInstanceOf(ProbeException.class);
      return (ProbeException) e.getCause();
    } catch (InterruptedException | TimeoutException e) {
      return fail("no end in 25 s", e);
    }
  }

  /** The cloud of this test, for cases of the module's own. */
  protected final WireMockServer stub() {
    return stub;
  }

  private static Map<MarketKey, UsdPerGpuHour> listPrices(Result result) {
    Map<MarketKey, UsdPerGpuHour> prices = new HashMap<>();
    for (Observation seen : result.observations()) {
      if (seen.key().capacityType() == CapacityType.ON_DEMAND) {
        seen.price().ifPresent(price -> prices.put(seen.key(), price));
      }
    }
    return prices;
  }

  private List<String> secrets(AccountSettings account) {
    return account.credentials().entrySet().stream()
        .filter(entry -> !publicCredentials().contains(entry.getKey()))
        .map(Map.Entry::getValue)
        .filter(value -> value.length() >= 6)
        .toList();
  }

  static ResponseDefinitionBuilder json(int status, String body) {
    return aResponse()
        .withStatus(status)
        .withHeader("Content-Type", "application/json")
        .withBody(body);
  }
}
