package io.spillway.capacity.nebius;

import static com.github.tomakehurst.wiremock.client.WireMock.absent;
import static com.github.tomakehurst.wiremock.client.WireMock.equalTo;
import static com.github.tomakehurst.wiremock.client.WireMock.jsonResponse;
import static com.github.tomakehurst.wiremock.client.WireMock.matchingJsonPath;
import static com.github.tomakehurst.wiremock.client.WireMock.okJson;
import static com.github.tomakehurst.wiremock.client.WireMock.post;
import static com.github.tomakehurst.wiremock.client.WireMock.postRequestedFor;
import static com.github.tomakehurst.wiremock.client.WireMock.urlEqualTo;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.github.tomakehurst.wiremock.WireMockServer;
import com.github.tomakehurst.wiremock.matching.RequestPatternBuilder;
import io.spillway.capacity.spi.AccountSettings;
import io.spillway.capacity.spi.CapacityProbe;
import io.spillway.capacity.spi.CapacityProvider;
import io.spillway.capacity.testkit.MarketText;
import io.spillway.capacity.testkit.ProbeContract;
import io.spillway.scheduler.model.FailureClass;
import java.math.BigDecimal;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NebiusProbeTest extends ProbeContract {
  static final String ADVICE = "/nebius.capacity.v1.ResourceAdviceService/List";
  static final String BLOCKS = "/nebius.capacity.v1.CapacityBlockGroupService/List";
  static final String ESTIMATE = "/nebius.billing.v1alpha1.CalculatorService/Estimate";

  private static final String TOKEN = "ne1made-up-token-0123456789";

  private static final String H100_HERE =
      advice("eu-north1", "fabric-3", "gpu-h100-sxm", fresh(2, 4), fresh(4, 4));
  private static final String H100_FULL =
      advice("eu-north1", "fabric-2", "gpu-h100-sxm", fresh(0, 4), fresh(0, 4));
  private static final String H200 =
      advice("eu-west1", "fabric-5", "gpu-h200-sxm", fresh(0, 0), stale(9));
  private static final String ELSEWHERE =
      advice("us-central1", "fabric-9", "gpu-h200-sxm", fresh(3, 9), fresh(3, 9));
  private static final String CPU = advice("eu-north1", "", "cpu-e2", fresh(99, 99), fresh(99, 99));

  private static final String BLOCK =
      """
      {"metadata": {"id": "capacityblockgroup-1", "parent_id": "tenant-x"},
       "status": {"region": "eu-north1", "state": "STATE_ACTIVE", "current_limit": "16", "usage": "8",
         "resource_affinity": {"compute_v1": {"fabric": "fabric-3", "platform": "gpu-h100-sxm"}}}}
      """;

  @Override
  protected CapacityProvider provider() {
    return new NebiusProvider();
  }

  /** At the gRPC server that answers as the stub does. */
  @Override
  protected AccountSettings account(URI stub) {
    return account(Map.of("tenant-id", "tenant-x", "token", TOKEN, "project-id", "project-y"));
  }

  static AccountSettings account(Map<String, String> credentials) {
    return new AccountSettings(
        "prod",
        Optional.of("tenant-x"),
        List.of("eu-north1", "eu-west1"),
        Duration.ofMinutes(1),
        BigDecimal.ONE,
        Optional.of(GrpcStub.uri()),
        credentials);
  }

  @Override
  protected List<String> requiredCredentials() {
    return List.of("tenant-id", "token");
  }

  @Override
  protected Set<String> publicCredentials() {
    return Set.of("tenant-id", "project-id");
  }

  @Override
  protected Set<String> interest() {
    return Set.of("gpu-h100-sxm_8gpu-128vcpu-1600gb");
  }

  @Override
  protected List<RequestPatternBuilder> reads() {
    return List.of(
        read(ADVICE).withRequestBody(matchingJsonPath("$.parent_id", equalTo("tenant-x"))),
        read(BLOCKS).withRequestBody(matchingJsonPath("$.parent_id", equalTo("tenant-x"))),
        read(ESTIMATE)
            .withRequestBody(
                matchingJsonPath(
                    "$.resource_spec.compute_instance_spec.metadata.parent_id",
                    equalTo("project-y"))));
  }

  private static RequestPatternBuilder read(String path) {
    return postRequestedFor(urlEqualTo(path))
        .withHeader("Authorization", equalTo("Bearer " + TOKEN));
  }

  @Override
  protected void happy(WireMockServer stub) {
    items(stub, ADVICE, String.join(",", H100_HERE, H100_FULL, H200, ELSEWHERE, CPU));
    items(stub, BLOCKS, BLOCK);
    prices(stub);
  }

  @Override
  protected String happyMarket() {
    return """
        eu-north1/eu-north1/gpu-h100-sxm_8gpu-128vcpu-1600gb/on-demand 8x nvidia-h100-80gb  3.8500 AVAILABLE   OFFERED
        eu-north1/eu-north1/gpu-h100-sxm_8gpu-128vcpu-1600gb/spot      8x nvidia-h100-80gb  1.6500 AVAILABLE   OFFERED
        eu-north1/eu-north1/gpu-h100-sxm_8gpu-128vcpu-1600gb/reserved/capacityblockgroup-1 8x nvidia-h100-80gb - AVAILABLE OFFERED
        eu-west1/eu-west1/gpu-h200-sxm_8gpu-128vcpu-1600gb/on-demand   8x nvidia-h200-141gb 3.5000 UNAVAILABLE OFFERED
        eu-west1/eu-west1/gpu-h200-sxm_8gpu-128vcpu-1600gb/spot        8x nvidia-h200-141gb 2.4500 UNKNOWN     OFFERED
        """;
  }

  @Override
  protected void empty(WireMockServer stub) {
    items(stub, ADVICE, "");
    items(stub, BLOCKS, "");
  }

  @Override
  protected boolean paged(WireMockServer stub) {
    happy(stub);
    page(stub, null, "two", String.join(",", H100_HERE, ELSEWHERE));
    page(stub, "two", "three", H100_FULL);
    page(stub, "three", "", H200);
    return true;
  }

  @Override
  protected boolean endless(WireMockServer stub) {
    happy(stub);
    page(stub, null, "two", H100_HERE);
    page(stub, "two", "two", H200);
    return true;
  }

  @Override
  protected void partial(WireMockServer stub) {
    happy(stub);
    stub.stubFor(post(BLOCKS).willReturn(error(403, "not a member of the tenant", "")));
  }

  @Override
  protected String partialMarket() {
    return happyMarket()
        .lines()
        .filter(line -> !line.contains("reserved"))
        .reduce("", (all, line) -> all + '\n' + line);
  }

  @Override
  protected String partialWarning() {
    return "capacity block groups: nebius.capacity.v1.CapacityBlockGroupService/List:"
        + " PERMISSION_DENIED";
  }

  @Test
  void without_the_calculator_the_shipped_prices_are_shown_and_not_trusted() throws Exception {
    happy(stub());
    stub().stubFor(post(ESTIMATE).willReturn(error(403, "no billing role", "")));

    var result = observe();

    assertThat(MarketText.of(result.observations()))
        .contains(
            "eu-north1/eu-north1/gpu-h100-sxm_8gpu-128vcpu-1600gb/on-demand 8x nvidia-h100-80gb"
                + " 2.9500 AVAILABLE FALLBACK",
            "eu-north1/eu-north1/gpu-h100-sxm_8gpu-128vcpu-1600gb/spot 8x nvidia-h100-80gb"
                + " 1.2500 AVAILABLE FALLBACK");
    assertThat(result.warnings()).singleElement().asString().startsWith("prices: ");
  }

  @Test
  void prices_are_asked_again_after_half_an_hour() throws Exception {
    happy(stub());
    try (CapacityProbe probe = provider().probe(account(GrpcStub.uri()))) {
      probe.observe(Set.of(), NOW).toCompletableFuture().get(20, TimeUnit.SECONDS);
      probe
          .observe(Set.of(), NOW.plusSeconds(1_790))
          .toCompletableFuture()
          .get(20, TimeUnit.SECONDS);
      stub().verify(4, postRequestedFor(urlEqualTo(ESTIMATE)));

      probe
          .observe(Set.of(), NOW.plusSeconds(1_800))
          .toCompletableFuture()
          .get(20, TimeUnit.SECONDS);
      stub().verify(8, postRequestedFor(urlEqualTo(ESTIMATE)));
    }
  }

  @Test
  void advice_of_another_hour_says_nothing_of_now() throws Exception {
    happy(stub());
    items(stub(), ADVICE, H100_HERE.replace("T11:55", "T10:55"));

    assertThat(MarketText.of(observe().observations()))
        .filteredOn(line -> !line.contains("reserved"))
        .hasSize(2)
        .allMatch(line -> line.contains("UNKNOWN"));
  }

  @Test
  void a_block_without_room_for_the_machine_is_not_there() throws Exception {
    happy(stub());
    items(stub(), BLOCKS, BLOCK.replace("\"usage\": \"8\"", "\"usage\": \"9\""));

    assertThat(MarketText.of(observe().observations()))
        .filteredOn(line -> line.contains("reserved"))
        .singleElement()
        .asString()
        .contains("UNAVAILABLE");
  }

  @Test
  void a_service_account_needs_all_of_its_parts() {
    assertThatThrownBy(
            () ->
                provider()
                    .probe(account(Map.of("tenant-id", "t", "private-key", "not a key at all"))))
        .hasMessageContaining("service-account-id");
    assertThatThrownBy(
            () ->
                provider()
                    .probe(
                        account(
                            Map.of(
                                "tenant-id", "t",
                                "service-account-id", "serviceaccount-1",
                                "public-key-id", "publickey-1",
                                "private-key", "not a key at all"))))
        .hasMessageContaining("private-key")
        .hasMessageNotContaining("not a key")
        .hasNoCause();
  }

  @ParameterizedTest(name = "{0} {1} {2}")
  @CsvSource({
    "401, token is expired, '', AUTH",
    "403, no access to the tenant, '', AUTH",
    "404, tenant not found, '', INVALID",
    "400, page_size is too large, '', INVALID",
    "412, tenant is suspended, '', INVALID",
    "429, Quota limit exceeded, '', QUOTA",
    "429, '', QuotaFailure, QUOTA",
    "429, Not enough resources, '', NO_CAPACITY",
    "429, '', NotEnoughResources, NO_CAPACITY",
    "429, '', TooManyRequests, THROTTLED",
    "409, operation aborted, '', TRANSIENT",
    "500, internal, '', TRANSIENT",
    "503, unavailable, '', TRANSIENT",
    "504, deadline exceeded, '', TRANSIENT"
  })
  void each_documented_error_of_a_call(
      int status, String message, String detail, FailureClass expected) {
    happy(stub());
    stub().stubFor(post(ADVICE).willReturn(error(status, message, detail)));

    assertThat(failure().failureClass()).isEqualTo(expected);
  }

  static com.github.tomakehurst.wiremock.client.ResponseDefinitionBuilder error(
      int status, String message, String detail) {
    return jsonResponse(
        "{\"error\":{\"message\":\"%s\",\"detail\":\"%s\"}}".formatted(message, detail), status);
  }

  static void items(WireMockServer stub, String path, String items) {
    stub.stubFor(post(path).willReturn(okJson("{\"items\": [" + items + "]}")));
  }

  private static void page(WireMockServer stub, String asked, String next, String items) {
    stub.stubFor(
        post(ADVICE)
            .withRequestBody(
                matchingJsonPath("$.page_token", asked == null ? absent() : equalTo(asked)))
            .willReturn(
                okJson("{\"items\": [%s], \"next_page_token\": \"%s\"}".formatted(items, next))));
  }

  static void prices(WireMockServer stub) {
    price(stub, "gpu-h100-sxm", false, "30.80");
    price(stub, "gpu-h100-sxm", true, "13.2");
    price(stub, "gpu-h200-sxm", false, "28");
    price(stub, "gpu-h200-sxm", true, "19.600000001");
  }

  private static void price(
      WireMockServer stub, String platform, boolean preemptible, String cost) {
    String spec = "$.resource_spec.compute_instance_spec.spec";
    stub.stubFor(
        post(ESTIMATE)
            .withRequestBody(matchingJsonPath(spec + ".resources.platform", equalTo(platform)))
            .withRequestBody(
                matchingJsonPath(
                    spec + ".preemptible.on_preemption", preemptible ? equalTo("STOP") : absent()))
            .willReturn(
                okJson(
                    "{\"hourly_cost\": {\"general\": {\"total\": {\"cost\": \"%s\"}}}}"
                        .formatted(cost))));
  }

  static String advice(
      String region, String fabric, String platform, String onDemand, String preemptible) {
    return """
        {"spec": {"region": "%s", "fabric": "%s", "compute_instance":
           {"platform": "%s", "preset": {"name": "8gpu-128vcpu-1600gb"}}},
         "status": {"on_demand": %s, "preemptible": %s, "reserved":
           {"availability_level": "AVAILABILITY_LEVEL_LIMIT_REACHED", "available": 0, "limit": 0,
            "data_state": "DATA_STATE_STALE", "effective_at": "2026-11-30T07:00:00Z"}}}
        """
        .formatted(region, fabric, platform, onDemand, preemptible);
  }

  static String fresh(int available, int limit) {
    return """
        {"availability_level": "AVAILABILITY_LEVEL_LOW", "available": %d, "limit": %d,
         "data_state": "DATA_STATE_FRESH", "effective_at": "2026-11-30T11:55:00Z"}
        """
        .formatted(available, limit);
  }

  private static String stale(int available) {
    return fresh(available, available).replace("FRESH", "STALE");
  }
}
