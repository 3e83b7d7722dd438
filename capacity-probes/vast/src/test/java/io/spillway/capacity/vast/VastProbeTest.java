package io.spillway.capacity.vast;

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
import com.github.tomakehurst.wiremock.client.MappingBuilder;
import com.github.tomakehurst.wiremock.matching.RequestPatternBuilder;
import io.spillway.capacity.spi.AccountSettings;
import io.spillway.capacity.spi.CapacityProbe;
import io.spillway.capacity.spi.CapacityProvider;
import io.spillway.capacity.testkit.MarketText;
import io.spillway.capacity.testkit.ProbeContract;
import io.spillway.capacity.testkit.StubCloud;
import io.spillway.scheduler.model.FailureClass;
import java.math.BigDecimal;
import java.net.URI;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class VastProbeTest extends ProbeContract {
  private static final String PATH = "/api/v0/bundles/";
  private static final String KEY = "vast-0a1b2c3d4e5f";

  @Override
  protected CapacityProvider provider() {
    return new VastProvider();
  }

  @Override
  protected AccountSettings account(URI stub) {
    return account(stub, Map.of());
  }

  private static AccountSettings account(URI stub, Map<String, String> more) {
    Map<String, String> credentials = new HashMap<>(more);
    credentials.put("api-key", KEY);
    return new AccountSettings(
        "prod",
        Optional.empty(),
        List.of("NO", "US"),
        Duration.ofSeconds(60),
        BigDecimal.ONE,
        Optional.of(stub),
        credentials);
  }

  @Override
  protected List<String> requiredCredentials() {
    return List.of("api-key");
  }

  @Override
  protected Set<String> interest() {
    return Set.of("8x_H100-SXM", "4x_A100-SXM4-40GB", "p5.48xlarge");
  }

  @Override
  protected List<RequestPatternBuilder> reads() {
    return List.of(
        postRequestedFor(urlEqualTo(PATH)).withHeader("Authorization", equalTo("Bearer " + KEY)));
  }

  @Override
  protected void happy(WireMockServer stub) {
    offers(
        stub,
        "ondemand",
        offer("H100 SXM", 8, 81_559, "Norway, NO", "15.36", "9.60"),
        offer("H100 SXM", 8, 81_559, "Norway, NO", "17.20", "8.00"),
        offer("A100 SXM4", 4, 40_960, "Texas, US", "2.40", "1.20"),
        offer("A100 SXM4", 8, 81_920, "Texas, US", "9.60", "4.80"),
        offer("H100 SXM", 8, 81_559, "Quebec, CA", "12.00", "9.60"),
        offer("H100 SXM", 8, 81_559, "", "11.00", "9.60"),
        offer("Quadro P4000", 8, 8_192, "Norway, NO", "0.80", "0.40"));
    offers(
        stub,
        "bid",
        offer("H100 SXM", 8, 81_559, "Norway, NO", "15.36", "9.60"),
        offer("H100 SXM", 8, 81_559, "Norway, NO", "17.20", "8.00"),
        offer("H100 SXM", 8, 81_559, "US", "16.00", "0"));
  }

  /** An offer in each country, in one answer. */
  @Override
  protected boolean happyIn(WireMockServer stub, List<String> countries) {
    String[] there =
        countries.stream()
            .map(country -> offer("H100 SXM", 8, 81_559, "A town, " + country, "15.36", "9.60"))
            .toArray(String[]::new);
    offers(stub, "ondemand", there);
    offers(stub, "bid", there);
    return true;
  }

  /** The cheapest of each country; what is wanted and not offered is not there. */
  @Override
  protected String happyMarket() {
    return """
        NO/NO/8x_H100-SXM/on-demand       8x nvidia-h100-80gb 1.9200 AVAILABLE   OFFERED
        NO/NO/8x_H100-SXM/spot            8x nvidia-h100-80gb 1.0000 AVAILABLE   OFFERED
        US/US/8x_H100-SXM/on-demand       8x nvidia-h100-80gb -      UNAVAILABLE OFFERED
        US/US/8x_H100-SXM/spot            8x nvidia-h100-80gb -      UNAVAILABLE OFFERED
        US/US/4x_A100-SXM4-40GB/on-demand 4x nvidia-a100-40gb 0.6000 AVAILABLE   OFFERED
        US/US/4x_A100-SXM4-40GB/spot      4x nvidia-a100-40gb -      UNAVAILABLE OFFERED
        NO/NO/4x_A100-SXM4-40GB/on-demand 4x nvidia-a100-40gb -      UNAVAILABLE OFFERED
        NO/NO/4x_A100-SXM4-40GB/spot      4x nvidia-a100-40gb -      UNAVAILABLE OFFERED
        US/US/8x_A100-SXM4/on-demand      8x nvidia-a100-80gb 1.2000 AVAILABLE   OFFERED
        """;
  }

  @Override
  protected void empty(WireMockServer stub) {
    offers(stub, "ondemand");
    offers(stub, "bid");
  }

  /** An empty search says that nobody offers any. */
  @Override
  protected String emptyMarket() {
    StringBuilder none = new StringBuilder();
    for (String country : List.of("NO", "US")) {
      for (String market : List.of("on-demand", "spot")) {
        none.append("%s/%s/8x_H100-SXM/%s ".formatted(country, country, market))
            .append("8x nvidia-h100-80gb - UNAVAILABLE OFFERED\n")
            .append("%s/%s/4x_A100-SXM4-40GB/%s ".formatted(country, country, market))
            .append("4x nvidia-a100-40gb - UNAVAILABLE OFFERED\n");
      }
    }
    return none.toString();
  }

  /** The full answer is 64 dear offers elsewhere in front of those of the happy market. */
  @Override
  protected boolean paged(WireMockServer stub) {
    happy(stub);
    String[] full =
        IntStream.range(0, 64)
            .mapToObj(n -> offer("H100 SXM", 8, 81_559, "Quebec, CA", "1.00", "0.5"))
            .toArray(String[]::new);
    for (String market : List.of("ondemand", "bid")) {
      stub.stubFor(
          search(market)
              .withRequestBody(matchingJsonPath("$.dph_base", absent()))
              .willReturn(okJson(body(full))));
    }
    return true;
  }

  @Override
  protected boolean endless(WireMockServer stub) {
    String[] full =
        IntStream.range(0, 64)
            .mapToObj(n -> offer("H100 SXM", 8, 81_559, "Norway, NO", "9.00", "5.00"))
            .toArray(String[]::new);
    offers(stub, "ondemand", full);
    offers(stub, "bid", full);
    return true;
  }

  @Override
  protected void partial(WireMockServer stub) {
    happy(stub);
    stub.stubFor(search("bid").willReturn(jsonResponse("{\"error\": \"server_error\"}", 500)));
  }

  @Override
  protected String partialMarket() {
    return happyMarket()
        .lines()
        .filter(line -> !line.contains("/spot"))
        .reduce("", (all, line) -> all + line + '\n');
  }

  @Override
  protected String partialWarning() {
    return "spot: POST /api/v0/bundles/: status 500";
  }

  @Test
  void offers_that_went_on_beyond_three_answers_say_nothing_of_what_is_not_there()
      throws Exception {
    for (int page = 0; page < 4; page++) {
      String[] full = new String[64];
      for (int n = 0; n < 64; n++) {
        full[n] = offer("H100 SXM", 8, 81_559, "Norway, NO", page + "." + (10 + n), "0.50");
      }
      MappingBuilder call = post(PATH);
      stub()
          .stubFor(
              (page == 0
                      ? call.withRequestBody(matchingJsonPath("$.dph_base", absent()))
                      : call.withRequestBody(
                          matchingJsonPath("$.dph_base.gt", equalTo((page - 1) + ".73"))))
                  .willReturn(okJson(body(full))));
    }

    assertThat(MarketText.of(observe().observations()))
        .hasSize(2)
        .allMatch(line -> line.startsWith("NO/NO/8x_H100-SXM/") && line.contains(" AVAILABLE "));
    assertThat(stub().getAllServeEvents()).hasSize(6);
  }

  @Test
  void the_account_says_how_reliable_and_whose_machines_must_be() throws Exception {
    happy(stub());
    observe(
        account(StubCloud.uri(), Map.of("min-reliability", "0.9", "datacenters-only", "false")));

    assertThat(
            stub()
                .findAll(
                    postRequestedFor(urlEqualTo(PATH))
                        .withRequestBody(matchingJsonPath("$.reliability2.gte", equalTo("0.9")))
                        .withRequestBody(matchingJsonPath("$.datacenter", absent()))))
        .hasSize(2);
    assertThatThrownBy(() -> probe(Map.of("min-reliability", "often")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("credentials.min-reliability");
    assertThatThrownBy(() -> probe(Map.of("datacenters-only", "maybe")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("credentials.datacenters-only");
  }

  private CapacityProbe probe(Map<String, String> more) {
    return provider().probe(account(StubCloud.uri(), more));
  }

  @ParameterizedTest
  @CsvSource({
    "auth_error, AUTH",
    "insufficient_credit, QUOTA",
    "invalid_args, INVALID",
    "server_error, TRANSIENT"
  })
  void a_failure_with_http_200_is_a_failure(String code, FailureClass expected) {
    stub()
        .stubFor(
            post(PATH)
                .willReturn(
                    okJson(
                        "{\"success\": false, \"error\": \"%s\", \"msg\": \"made-up %s\"}"
                            .formatted(code, KEY))));

    assertThat(failure().failureClass()).isEqualTo(expected);
  }

  private static MappingBuilder search(String market) {
    return post(PATH).withRequestBody(matchingJsonPath("$.type", equalTo(market)));
  }

  private static void offers(WireMockServer stub, String market, String... offers) {
    stub.stubFor(search(market).willReturn(okJson(body(offers))));
  }

  private static String body(String... offers) {
    return "{\"offers\": [" + String.join(",", offers) + "]}";
  }

  private static String offer(
      String gpu, int count, int memoryMb, String place, String total, String bid) {
    return """
        {"id": 7654321, "machine_id": 1122, "num_gpus": %d, "gpu_name": "%s", "gpu_ram": %d,
         "cpu_cores": 192, "cpu_cores_effective": 192.0, "cpu_ram": 2064000,
         "dph_base": %s, "dph_total": %s, "min_bid": %s, "geolocation": "%s",
         "reliability2": 0.994}
        """
        .formatted(count, gpu, memoryMb, total, total, bid, place);
  }
}
