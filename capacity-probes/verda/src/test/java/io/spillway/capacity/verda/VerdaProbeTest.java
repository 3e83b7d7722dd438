package io.spillway.capacity.verda;

import static com.github.tomakehurst.wiremock.client.WireMock.absent;
import static com.github.tomakehurst.wiremock.client.WireMock.equalTo;
import static com.github.tomakehurst.wiremock.client.WireMock.equalToJson;
import static com.github.tomakehurst.wiremock.client.WireMock.get;
import static com.github.tomakehurst.wiremock.client.WireMock.getRequestedFor;
import static com.github.tomakehurst.wiremock.client.WireMock.jsonResponse;
import static com.github.tomakehurst.wiremock.client.WireMock.matching;
import static com.github.tomakehurst.wiremock.client.WireMock.okJson;
import static com.github.tomakehurst.wiremock.client.WireMock.post;
import static com.github.tomakehurst.wiremock.client.WireMock.postRequestedFor;
import static com.github.tomakehurst.wiremock.client.WireMock.urlEqualTo;
import static com.github.tomakehurst.wiremock.client.WireMock.urlPathEqualTo;
import static org.assertj.core.api.Assertions.assertThat;

import com.github.tomakehurst.wiremock.WireMockServer;
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
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class VerdaProbeTest extends ProbeContract {
  private static final String TOKEN = "/v1/oauth2/token";
  private static final String TYPES = "/v1/instance-types";
  private static final String AVAILABILITY = "/v1/instance-availability";

  private static final String H100 =
      """
      {"instance_type": "8H100.80S.176V", "model": "H100", "price_per_hour": "15.92",
       "spot_price": "7.96", "cpu": {"number_of_cores": 176},
       "memory": {"size_in_gigabytes": 1480}, "gpu_memory": {"size_in_gigabytes": 640},
       "gpu": {"description": "8x H100 SXM5 80GB", "number_of_gpus": 8}}
      """;

  /** The spot price under its other name, and none. */
  private static final String A100 =
      """
      {"instance_type": "1A100.40S.22V", "model": "A100", "price_per_hour": 0.7211,
       "spot_price_per_hour": "0.2163", "cpu": {"number_of_cores": 22},
       "memory": {"size_in_gigabytes": 120}, "gpu_memory": {"size_in_gigabytes": 40},
       "gpu": {"description": "1x A100 SXM4 40GB", "number_of_gpus": 1}}
      """;

  private static final String B200 =
      """
      {"instance_type": "8B200.240V", "model": "B200", "price_per_hour": null, "spot_price": "0.00",
       "gpu": {"description": "8x B200 SXM6", "number_of_gpus": 8}}
      """;

  private static final String CPU =
      """
      {"instance_type": "CPU.4V.16G", "model": "CPU Node", "price_per_hour": "0.03",
       "gpu": {"description": "", "number_of_gpus": 0}}
      """;

  @Override
  protected CapacityProvider provider() {
    return new VerdaProvider();
  }

  @Override
  protected AccountSettings account(URI stub) {
    return new AccountSettings(
        "prod",
        Optional.empty(),
        List.of("FIN-01", "ICE-01"),
        Duration.ofSeconds(60),
        BigDecimal.ONE,
        Optional.of(stub.resolve("/v1")),
        Map.of("client-id", "client-0a1b2c", "client-secret", "hush-3d4e5f6a7b"));
  }

  @Override
  protected List<String> requiredCredentials() {
    return List.of("client-id", "client-secret");
  }

  @Override
  protected Set<String> interest() {
    return Set.of("8H100.80S.176V");
  }

  @Override
  protected List<RequestPatternBuilder> reads() {
    return List.of(
        postRequestedFor(urlEqualTo(TOKEN))
            .withRequestBody(
                equalToJson(
                    """
                    {"grant_type": "client_credentials", "client_id": "client-0a1b2c",
                     "client_secret": "hush-3d4e5f6a7b"}
                    """))
            .withHeader("Authorization", absent()),
        getRequestedFor(urlEqualTo(TYPES)).withHeader("Authorization", matching("Bearer tok-.*")),
        getRequestedFor(urlPathEqualTo(AVAILABILITY))
            .withQueryParam("is_spot", matching("true|false"))
            .withHeader("Authorization", matching("Bearer tok-.*")));
  }

  @Override
  protected void always(WireMockServer stub) {
    token(stub, "tok-1");
  }

  private static void token(WireMockServer stub, String token) {
    stub.stubFor(
        post(TOKEN)
            .atPriority(1)
            .willReturn(
                okJson(
                    "{\"access_token\": \""
                        + token
                        + "\", \"token_type\": \"Bearer\", \"expires_in\": 3600}")));
  }

  @Override
  protected void happy(WireMockServer stub) {
    types(stub, H100, A100, B200, CPU);
    available(
        stub, false, location("FIN-01", "8H100.80S.176V", "1A100.40S.22V"), location("ICE-01"));
    available(stub, true, location("FIN-01", "1A100.40S.22V"), location("FIN-03", "8B200.240V"));
  }

  @Override
  protected String happyMarket() {
    return """
        FIN-01/FIN-01/8H100.80S.176V/on-demand 8x nvidia-h100-80gb 1.9900 AVAILABLE   OFFERED
        ICE-01/ICE-01/8H100.80S.176V/on-demand 8x nvidia-h100-80gb 1.9900 UNAVAILABLE OFFERED
        FIN-01/FIN-01/8H100.80S.176V/spot      8x nvidia-h100-80gb 0.9950 UNAVAILABLE OFFERED
        FIN-01/FIN-01/1A100.40S.22V/on-demand  1x nvidia-a100-40gb 0.7211 AVAILABLE   OFFERED
        ICE-01/ICE-01/1A100.40S.22V/on-demand  1x nvidia-a100-40gb 0.7211 UNAVAILABLE OFFERED
        FIN-01/FIN-01/1A100.40S.22V/spot       1x nvidia-a100-40gb 0.2163 AVAILABLE   OFFERED
        FIN-01/FIN-01/8B200.240V/on-demand     8x nvidia-b200-180gb 3.7900 UNAVAILABLE FALLBACK
        ICE-01/ICE-01/8B200.240V/on-demand     8x nvidia-b200-180gb 3.7900 UNAVAILABLE FALLBACK
        FIN-01/FIN-01/8B200.240V/spot          8x nvidia-b200-180gb -      UNAVAILABLE OFFERED
        """;
  }

  @Override
  protected void empty(WireMockServer stub) {
    types(stub);
    available(stub, false);
    available(stub, true);
  }

  @Override
  protected void partial(WireMockServer stub) {
    types(stub, H100);
    available(stub, false, location("FIN-01", "8H100.80S.176V"));
    stub.stubFor(
        get(urlPathEqualTo(AVAILABILITY))
            .withQueryParam("is_spot", equalTo("true"))
            .willReturn(jsonResponse("{\"code\": \"internal_server_error\"}", 500)));
  }

  @Override
  protected String partialMarket() {
    return """
        FIN-01/FIN-01/8H100.80S.176V/on-demand 8x nvidia-h100-80gb 1.9900 AVAILABLE OFFERED
        """;
  }

  @Override
  protected String partialWarning() {
    return "spot: GET /instance-availability: status 500";
  }

  @Test
  void one_token_serves_all_rounds_until_it_ends() throws Exception {
    happy(stub());
    try (CapacityProbe probe = provider().probe(account(StubCloud.uri()))) {
      probe.observe(interest(), NOW).toCompletableFuture().get();
      probe.observe(interest(), NOW.plusSeconds(3_500)).toCompletableFuture().get();
      assertThat(tokens()).isEqualTo(1);

      probe.observe(interest(), NOW.plusSeconds(3_541)).toCompletableFuture().get();
      assertThat(tokens()).isEqualTo(2);
    }
  }

  @Test
  void a_token_that_is_refused_before_its_end_is_asked_for_once_more() throws Exception {
    happy(stub());
    try (CapacityProbe probe = provider().probe(account(StubCloud.uri()))) {
      probe.observe(interest(), NOW).toCompletableFuture().get();
      stub().resetAll();
      stub()
          .stubFor(
              get(urlEqualTo(TYPES))
                  .atPriority(1)
                  .withHeader("Authorization", equalTo("Bearer tok-1"))
                  .willReturn(jsonResponse("{\"code\": \"unauthorized_request\"}", 401)));
      token(stub(), "tok-2");
      happy(stub());

      CapacityProbe.Result again = probe.observe(interest(), NOW).toCompletableFuture().get();

      assertThat(MarketText.of(again.observations())).isEqualTo(MarketText.lines(happyMarket()));
      assertThat(tokens()).isEqualTo(1);
    }
  }

  @Test
  void an_outage_that_only_says_unavailable_is_an_outage() {
    stub()
        .stubFor(
            get(urlEqualTo(TYPES))
                .willReturn(
                    jsonResponse(
                        "{\"code\": \"service_unavailable\", \"message\": \"unavailable\"}", 503)));

    assertThat(failure().failureClass()).isEqualTo(FailureClass.TRANSIENT);
  }

  private int tokens() {
    return stub().findAll(postRequestedFor(urlEqualTo(TOKEN))).size();
  }

  private static void types(WireMockServer stub, String... types) {
    stub.stubFor(get(urlEqualTo(TYPES)).willReturn(okJson('[' + String.join(",", types) + ']')));
  }

  private static void available(WireMockServer stub, boolean spot, String... locations) {
    stub.stubFor(
        get(urlPathEqualTo(AVAILABILITY))
            .withQueryParam("is_spot", equalTo(String.valueOf(spot)))
            .willReturn(okJson('[' + String.join(",", locations) + ']')));
  }

  private static String location(String code, String... types) {
    String names = types.length == 0 ? "" : '"' + String.join("\", \"", types) + '"';
    return "{\"location_code\": \"%s\", \"availabilities\": [%s]}".formatted(code, names);
  }
}
