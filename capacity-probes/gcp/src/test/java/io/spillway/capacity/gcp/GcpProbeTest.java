package io.spillway.capacity.gcp;

import static com.github.tomakehurst.wiremock.client.WireMock.aResponse;
import static com.github.tomakehurst.wiremock.client.WireMock.absent;
import static com.github.tomakehurst.wiremock.client.WireMock.containing;
import static com.github.tomakehurst.wiremock.client.WireMock.equalTo;
import static com.github.tomakehurst.wiremock.client.WireMock.get;
import static com.github.tomakehurst.wiremock.client.WireMock.getRequestedFor;
import static com.github.tomakehurst.wiremock.client.WireMock.matching;
import static com.github.tomakehurst.wiremock.client.WireMock.matchingJsonPath;
import static com.github.tomakehurst.wiremock.client.WireMock.okJson;
import static com.github.tomakehurst.wiremock.client.WireMock.post;
import static com.github.tomakehurst.wiremock.client.WireMock.postRequestedFor;
import static com.github.tomakehurst.wiremock.client.WireMock.urlPathEqualTo;
import static com.github.tomakehurst.wiremock.client.WireMock.urlPathMatching;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.github.tomakehurst.wiremock.WireMockServer;
import com.github.tomakehurst.wiremock.client.MappingBuilder;
import com.github.tomakehurst.wiremock.matching.RequestPatternBuilder;
import io.spillway.capacity.spi.AccountSettings;
import io.spillway.capacity.spi.CapacityProvider;
import io.spillway.capacity.testkit.MarketText;
import io.spillway.capacity.testkit.ProbeContract;
import io.spillway.scheduler.model.FailureClass;
import io.spillway.scheduler.model.Trust;
import java.math.BigDecimal;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class GcpProbeTest extends ProbeContract {
  private static final String ROOT = "/compute/v1/projects/p-1";
  private static final String SKUS = "/v1/services/6F81-5844-456A/skus";

  private static final String FIRST_PAGE =
      """
      {"kind":"compute#machineTypeAggregatedList","items":{
       "zones/us-central1-a":{"machineTypes":[
        {"name":"a3-highgpu-8g","guestCpus":208,"memoryMb":1916928,"accelerators":[{"guestAcceleratorType":"nvidia-h100-80gb","guestAcceleratorCount":8}]},
        {"name":"a3-highgpu-1g","guestCpus":26,"memoryMb":239616,"accelerators":[{"guestAcceleratorType":"nvidia-h100-80gb","guestAcceleratorCount":1}]},
        {"name":"n2-standard-4","guestCpus":4,"memoryMb":16384}]},
       "zones/us-central1-b":{"warning":{"code":"NO_RESULTS_ON_PAGE","message":"none"}},
       "zones/europe-west1-b":{"machineTypes":[
        {"name":"a3-highgpu-8g","guestCpus":208,"memoryMb":1916928,"accelerators":[{"guestAcceleratorType":"nvidia-h100-80gb","guestAcceleratorCount":8}]}]}}
      """;

  private static final String SECOND_PAGE =
      """
      {"kind":"compute#machineTypeAggregatedList","items":{
       "zones/us-central1-a":{"machineTypes":[
        {"name":"a2-highgpu-1g","guestCpus":12,"memoryMb":87040,"accelerators":[{"guestAcceleratorType":"nvidia-tesla-a100","guestAcceleratorCount":1}]},
        {"name":"a9-flux-8g","guestCpus":1,"memoryMb":1024,"accelerators":[{"guestAcceleratorType":"nvidia-flux","guestAcceleratorCount":8}]}]}}}
      """;

  private static final String BOTH_PAGES =
      """
      {"kind":"compute#machineTypeAggregatedList","items":{
       "zones/us-central1-a":{"machineTypes":[
        {"name":"a3-highgpu-8g","guestCpus":208,"memoryMb":1916928,"accelerators":[{"guestAcceleratorType":"nvidia-h100-80gb","guestAcceleratorCount":8}]},
        {"name":"a3-highgpu-1g","guestCpus":26,"memoryMb":239616,"accelerators":[{"guestAcceleratorType":"nvidia-h100-80gb","guestAcceleratorCount":1}]},
        {"name":"a2-highgpu-1g","guestCpus":12,"memoryMb":87040,"accelerators":[{"guestAcceleratorType":"nvidia-tesla-a100","guestAcceleratorCount":1}]}]},
       "zones/us-central1-b":{"warning":{"code":"NO_RESULTS_ON_PAGE"}}}}
      """;

  private static final String QUOTAS =
      """
      {"quotas":[{"metric":"NVIDIA_H100_GPUS","limit":16.0,"usage":8.0},
       {"metric":"PREEMPTIBLE_NVIDIA_H100_GPUS","limit":8.0,"usage":0.0},
       {"metric":"NVIDIA_A100_GPUS","limit":0.0,"usage":0.0},
       {"metric":"CPUS","limit":24.0,"usage":1.0}]}
      """;

  private static final String BILLING =
      """
      {"skus":[
       %s,%s,%s,%s,%s,%s,
       {"description":"Commitment v1: A3 Instance Core in Americas","category":{"usageType":"Commit1Yr"},"serviceRegions":["us-central1"],"pricingInfo":[{"pricingExpression":{"usageUnit":"h","tieredRates":[{"unitPrice":{"currencyCode":"USD","units":"0","nanos":1000000}}]}}]},
       {"description":"N2 Instance Core running in Americas","category":{"usageType":"OnDemand"},"serviceRegions":["us-central1"]}],
       "nextPageToken":""}
      """
          .formatted(
              sku("A3 Instance Core running in Americas", "OnDemand", "h", 0, 29_000_000),
              sku("A3 Instance Ram running in Americas", "OnDemand", "GiBy.h", 0, 2_500_000),
              sku("Nvidia H100 80GB GPU running in Americas", "OnDemand", "h", 9, 796_000_000),
              sku(
                  "Spot Preemptible A2 Instance Core running in Americas",
                  "Preemptible",
                  "h",
                  0,
                  10_000_000),
              // As the catalogue has had it: spot in words, on demand by its mark.
              sku(
                  "Spot Preemptible A2 Instance Ram running in Americas",
                  "OnDemand",
                  "GiBy.h",
                  0,
                  1_000_000),
              sku(
                  "Nvidia Tesla A100 GPU attached to Spot Preemptible VMs running in Americas",
                  "Preemptible",
                  "h",
                  1,
                  295_000_000));

  private static String sku(String words, String usage, String unit, int units, int nanos) {
    return "{\"skuId\":\"x\",\"description\":\"%s\",\"category\":{\"resourceFamily\":\"Compute\",\"usageType\":\"%s\"},\"serviceRegions\":[\"us-central1\"],\"pricingInfo\":[{\"pricingExpression\":{\"usageUnit\":\"%s\",\"tieredRates\":[{\"startUsageAmount\":0,\"unitPrice\":{\"currencyCode\":\"USD\",\"units\":\"%d\",\"nanos\":%d}}]}}]}"
        .formatted(words, usage, unit, units, nanos);
  }

  @Override
  protected CapacityProvider provider() {
    return new GcpProvider();
  }

  @Override
  protected AccountSettings account(URI stub) {
    return new AccountSettings(
        "prod",
        Optional.of("p-1"),
        List.of("us-central1"),
        Duration.ofMinutes(1),
        BigDecimal.ONE,
        Optional.of(stub),
        Map.of("key-json", Keys.json(stub)));
  }

  @Override
  protected List<String> requiredCredentials() {
    return List.of();
  }

  @Override
  protected Set<String> interest() {
    return Set.of("a3-highgpu-8g");
  }

  @Override
  protected List<RequestPatternBuilder> reads() {
    return List.of(
        postRequestedFor(urlPathEqualTo("/token")),
        getRequestedFor(urlPathMatching(ROOT + "/aggregated/(machineTypes|reservations)"))
            .withHeader("Authorization", matching("Bearer t-.*")),
        getRequestedFor(urlPathMatching(ROOT + "/regions/[a-z0-9-]+")),
        postRequestedFor(
            urlPathMatching(ROOT + "/regions/[a-z0-9-]+/advice/(capacity|capacityHistory)")),
        getRequestedFor(urlPathEqualTo(SKUS)));
  }

  @Override
  protected void always(WireMockServer stub) {
    stub.stubFor(
        post("/token")
            .atPriority(1)
            .willReturn(
                okJson(
                    "{\"access_token\":\"t-1\",\"expires_in\":3600,\"token_type\":\"Bearer\"}")));
  }

  private static MappingBuilder machineTypes() {
    return get(urlPathEqualTo(ROOT + "/aggregated/machineTypes"))
        .withQueryParam("filter", containing("a3"));
  }

  @Override
  protected void happy(WireMockServer stub) {
    stub.stubFor(machineTypes().willReturn(okJson(BOTH_PAGES)));
    rest(stub);
  }

  private static void rest(WireMockServer stub) {
    stub.stubFor(get(urlPathEqualTo(SKUS)).willReturn(okJson(BILLING)));
    stub.stubFor(get(urlPathEqualTo(ROOT + "/regions/us-central1")).willReturn(okJson(QUOTAS)));
    stub.stubFor(
        get(urlPathEqualTo(ROOT + "/aggregated/reservations"))
            .willReturn(
                okJson(
                    """
                    {"items":{"zones/us-central1-a":{"reservations":[
                     {"name":"r-1","status":"READY","specificReservationRequired":true,
                      "specificReservation":{"count":"4","inUseCount":"3","assuredCount":"4","instanceProperties":{"machineType":"a3-highgpu-8g"}}}]}}}
                    """)));
    stub.stubFor(
        post(urlPathEqualTo(ROOT + "/regions/us-central1/advice/capacity"))
            .withRequestBody(
                matchingJsonPath(
                    "$.distributionPolicy.zones[0].zone", equalTo("zones/us-central1-a")))
            .willReturn(
                okJson(
                    """
                    {"recommendations":[{"scores":{"obtainability":0.42,"estimatedUptime":"5400s"},
                     "shards":[{"zone":"us-central1-a","machineType":"a3-highgpu-8g","instanceCount":1}]}]}
                    """)));
    stub.stubFor(
        post(urlPathEqualTo(ROOT + "/regions/us-central1/advice/capacityHistory"))
            .withRequestBody(matchingJsonPath("$.types[0]", equalTo("PRICE")))
            .willReturn(
                okJson(
                    """
                    {"priceHistory":[
                     {"interval":{"startTime":"2026-11-29T00:00:00Z","endTime":"2026-11-30T00:00:00Z"},"listPrice":{"currencyCode":"USD","units":"24","nanos":0}},
                     {"interval":{"startTime":"2026-11-01T00:00:00Z","endTime":"2026-11-29T00:00:00Z"},"listPrice":{"currencyCode":"USD","units":"32","nanos":0}}]}
                    """)));
  }

  @Override
  protected String happyMarket() {
    return """
        us-central1/us-central1-a/a3-highgpu-8g/on-demand 8x nvidia-h100-80gb 11.1350 UNKNOWN LISTED
        us-central1/us-central1-a/a3-highgpu-8g/spot 8x nvidia-h100-80gb 3.0000 AVAILABLE OFFERED
        us-central1/us-central1-a/a3-highgpu-1g/spot 1x nvidia-h100-80gb 3.1942 UNKNOWN FALLBACK
        us-central1/us-central1-a/a2-highgpu-1g/on-demand 1x nvidia-a100-40gb 3.6734 UNAVAILABLE FALLBACK
        us-central1/us-central1-a/a2-highgpu-1g/spot 1x nvidia-a100-40gb 1.5000 UNKNOWN LISTED
        us-central1/us-central1-a/a3-highgpu-8g/reserved/r-1 8x nvidia-h100-80gb 11.1350 AVAILABLE OFFERED
        """;
  }

  @Override
  protected void empty(WireMockServer stub) {
    stub.stubFor(
        get(urlPathMatching("/.*"))
            .atPriority(9)
            .willReturn(okJson("{\"items\":{},\"skus\":[],\"quotas\":[]}")));
  }

  @Override
  protected boolean paged(WireMockServer stub) {
    rest(stub);
    stub.stubFor(
        machineTypes()
            .withQueryParam("pageToken", absent())
            .willReturn(okJson(FIRST_PAGE.stripTrailing() + ",\"nextPageToken\":\"p2\"}")));
    stub.stubFor(
        machineTypes().withQueryParam("pageToken", equalTo("p2")).willReturn(okJson(SECOND_PAGE)));
    return true;
  }

  @Override
  protected boolean endless(WireMockServer stub) {
    stub.stubFor(machineTypes().willReturn(okJson("{\"items\":{},\"nextPageToken\":\"again\"}")));
    return true;
  }

  /** Advice is not to be had, and a zone of the list is not reachable. */
  @Override
  protected void partial(WireMockServer stub) {
    happy(stub);
    stub.stubFor(
        get(urlPathEqualTo(ROOT + "/aggregated/reservations"))
            .atPriority(2)
            .willReturn(
                okJson(
                    "{\"items\":{\"zones/us-central1-a\":{\"warning\":{\"code\":\"UNREACHABLE\"}}}}")));
  }

  @Override
  protected String partialMarket() {
    return happyMarket()
        .lines()
        .filter(line -> !line.contains("/reserved/"))
        .reduce("", (all, line) -> all + "\n" + line);
  }

  @Override
  protected String partialWarning() {
    return "reservations of us-central1-a: UNREACHABLE";
  }

  @Test
  void without_the_permission_for_advice_spot_is_listed_and_priced_by_the_catalogue()
      throws Exception {
    happy(stub());
    stub()
        .stubFor(
            post(urlPathMatching(".*/advice/.*"))
                .atPriority(2)
                .willReturn(
                    aResponse()
                        .withStatus(403)
                        .withBody(
                            "{\"error\":{\"code\":403,\"errors\":[{\"reason\":\"forbidden\"}]}}")));

    var result = observe();

    assertThat(result.warnings()).anyMatch(warning -> warning.startsWith("spot capacity advice"));
    assertThat(MarketText.of(result.observations()))
        .contains(
            "us-central1/us-central1-a/a3-highgpu-8g/spot 8x nvidia-h100-80gb 3.1942 UNKNOWN"
                + " FALLBACK");
  }

  @Test
  void the_billing_catalogue_is_read_some_pages_a_round_and_counts_when_it_is_whole()
      throws Exception {
    happy(stub());
    for (int page = 0; page < 6; page++) {
      String next = page == 5 ? "" : "b" + (page + 1);
      stub()
          .stubFor(
              get(urlPathEqualTo(SKUS))
                  .withQueryParam("pageToken", page == 0 ? absent() : equalTo("b" + page))
                  .atPriority(2)
                  .willReturn(
                      okJson(
                          page == 2
                              ? BILLING.replace(
                                  "\"nextPageToken\":\"\"", "\"nextPageToken\":\"b3\"")
                              : "{\"skus\":[],\"nextPageToken\":\"" + next + "\"}")));
    }

    try (var probe = provider().probe(account(io.spillway.capacity.testkit.StubCloud.uri()))) {
      var first = probe.observe(interest(), NOW).toCompletableFuture().get();
      var second = probe.observe(interest(), NOW.plusSeconds(60)).toCompletableFuture().get();

      assertThat(first.observations())
          .filteredOn(seen -> seen.key().capacityType().text().equals("on-demand"))
          .allMatch(seen -> seen.trust() == Trust.FALLBACK);
      assertThat(MarketText.of(second.observations())).isEqualTo(MarketText.lines(happyMarket()));
    }
  }

  @Test
  void a_key_that_google_does_not_know_is_a_matter_of_credentials() {
    stub()
        .stubFor(
            post("/token")
                .atPriority(1)
                .willReturn(
                    aResponse()
                        .withStatus(400)
                        .withBody(
                            "{\"error\":\"invalid_grant\",\"error_description\":\"Invalid JWT\"}")));

    assertThat(failure().failureClass()).isEqualTo(FailureClass.AUTH);
  }

  @Test
  void a_key_that_is_none_is_named_and_not_shown() {
    AccountSettings account =
        with(
            account(URI.create("https://example.com")), Map.of("key-json", "{\"secret\":\"pst\"}"));

    assertThatThrownBy(() -> provider().probe(account))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("credentials.key-json")
        .hasMessageNotContaining("pst");
  }
}
