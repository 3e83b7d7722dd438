package io.spillway.capacity.runpod;

import static com.github.tomakehurst.wiremock.client.WireMock.containing;
import static com.github.tomakehurst.wiremock.client.WireMock.equalTo;
import static com.github.tomakehurst.wiremock.client.WireMock.matching;
import static com.github.tomakehurst.wiremock.client.WireMock.matchingJsonPath;
import static com.github.tomakehurst.wiremock.client.WireMock.okJson;
import static com.github.tomakehurst.wiremock.client.WireMock.post;
import static com.github.tomakehurst.wiremock.client.WireMock.postRequestedFor;
import static com.github.tomakehurst.wiremock.client.WireMock.serverError;
import static com.github.tomakehurst.wiremock.client.WireMock.urlEqualTo;
import static org.assertj.core.api.Assertions.assertThat;

import com.github.tomakehurst.wiremock.WireMockServer;
import com.github.tomakehurst.wiremock.matching.RequestPatternBuilder;
import io.spillway.capacity.spi.AccountSettings;
import io.spillway.capacity.spi.CapacityProbe;
import io.spillway.capacity.spi.CapacityProbe.Result;
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
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RunPodProbeTest extends ProbeContract {
  private static final String KEY = "rpa_0A1B2C3D4E5F";

  private static final String H100 =
      """
      {"id": "NVIDIA H100 80GB HBM3", "displayName": "H100 SXM", "maxGpuCount": 8,
       "p0_8": {"minimumBidPrice": 1.75, "uninterruptablePrice": 2.99, "minVcpu": 160,
                "minMemory": 1000, "stockStatus": "Low"},
       "p1_8": {"minimumBidPrice": null, "uninterruptablePrice": null, "stockStatus": null}}
      """;

  /** In stock, and nobody asked for it. */
  private static final String A100 =
      """
      {"id": "NVIDIA A100-SXM4-80GB", "displayName": "A100 SXM", "maxGpuCount": 8,
       "p0_8": null,
       "p1_8": {"minimumBidPrice": 0.6, "uninterruptablePrice": 1.49, "stockStatus": "High"}}
      """;

  /** Never eight of them in one machine. */
  private static final String RTX =
      """
      {"id": "NVIDIA GeForce RTX 4090", "displayName": "RTX 4090", "maxGpuCount": 4,
       "p0_8": {"minimumBidPrice": 0.2, "uninterruptablePrice": 0.69, "stockStatus": "High"}}
      """;

  private static final String H200 =
      """
      {"id": "NVIDIA H200", "displayName": "H200 SXM", "maxGpuCount": 8, "p0_8": null,
       "p1_8": null}
      """;

  private static final String UNKNOWN = "{\"id\": \"NVIDIA RTX 2000\", \"displayName\": \"x\"}";

  @Override
  protected CapacityProvider provider() {
    return new RunPodProvider();
  }

  @Override
  protected AccountSettings account(URI stub) {
    return account(stub, List.of("US", "CZ"));
  }

  private static AccountSettings account(URI stub, List<String> regions) {
    return new AccountSettings(
        "prod",
        Optional.empty(),
        regions,
        Duration.ofSeconds(60),
        BigDecimal.ONE,
        Optional.of(stub),
        Map.of("api-key", KEY));
  }

  @Override
  protected List<String> requiredCredentials() {
    return List.of("api-key");
  }

  @Override
  protected Set<String> interest() {
    return Set.of("8x_H100-SXM_SECURE", "8x_H200-SXM_SECURE", "p5.48xlarge");
  }

  /** All that RunPod is asked are queries: a mutation would say so. */
  @Override
  protected List<RequestPatternBuilder> reads() {
    return List.of(
        postRequestedFor(urlEqualTo("/graphql"))
            .withHeader("Authorization", equalTo("Bearer " + KEY))
            .withRequestBody(
                matchingJsonPath(
                    "$.query", matching("query \\{ (dataCenters|gpuTypes) \\{ id .*"))));
  }

  @Override
  protected void happy(WireMockServer stub) {
    centres(stub, "EU-CZ-1", "US-KS-2", "CA-MTL-1");
    types(stub, H100, A100, RTX, H200, UNKNOWN);
  }

  /** A data centre in each country, and the rows of a query for all of them. */
  @Override
  protected boolean happyIn(WireMockServer stub, List<String> countries) {
    centres(stub, countries.stream().map(country -> country + "-01").toArray(String[]::new));
    String pairs =
        IntStream.range(0, countries.size())
            .mapToObj(
                centre ->
                    "\"p%d_8\": {\"minimumBidPrice\": 1.75, \"uninterruptablePrice\": 2.99, \"stockStatus\": \"Low\"}"
                        .formatted(centre))
            .collect(Collectors.joining(", "));
    types(
        stub,
        Stream.of("NVIDIA H100 80GB HBM3, H100 SXM", "NVIDIA H200, H200 SXM", "NVIDIA B200, B200")
            .map(names -> names.split(", "))
            .map(
                names ->
                    "{\"id\": \"%s\", \"displayName\": \"%s\", \"maxGpuCount\": 8, %s}"
                        .formatted(names[0], names[1], pairs))
            .toArray(String[]::new));
    return true;
  }

  @Override
  protected String happyMarket() {
    return """
        CZ/EU-CZ-1/8x_H100-SXM_SECURE/on-demand 8x nvidia-h100-80gb  2.9900 AVAILABLE   OFFERED
        CZ/EU-CZ-1/8x_H100-SXM_SECURE/spot      8x nvidia-h100-80gb  1.7500 AVAILABLE   OFFERED
        US/US-KS-2/8x_H100-SXM_SECURE/on-demand 8x nvidia-h100-80gb  -      UNAVAILABLE OFFERED
        US/US-KS-2/8x_H100-SXM_SECURE/spot      8x nvidia-h100-80gb  -      UNAVAILABLE OFFERED
        US/US-KS-2/8x_A100-SXM_SECURE/on-demand 8x nvidia-a100-80gb  1.4900 AVAILABLE   OFFERED
        US/US-KS-2/8x_A100-SXM_SECURE/spot      8x nvidia-a100-80gb  0.6000 AVAILABLE   OFFERED
        CZ/EU-CZ-1/8x_H200-SXM_SECURE/on-demand 8x nvidia-h200-141gb 3.5900 UNAVAILABLE FALLBACK
        CZ/EU-CZ-1/8x_H200-SXM_SECURE/spot      8x nvidia-h200-141gb 2.2900 UNAVAILABLE FALLBACK
        US/US-KS-2/8x_H200-SXM_SECURE/on-demand 8x nvidia-h200-141gb 3.5900 UNAVAILABLE FALLBACK
        US/US-KS-2/8x_H200-SXM_SECURE/spot      8x nvidia-h200-141gb 2.2900 UNAVAILABLE FALLBACK
        """;
  }

  @Override
  protected void empty(WireMockServer stub) {
    centres(stub);
    types(stub);
  }

  /** Many data centres come in two queries, the first of which fails. */
  @Override
  protected void partial(WireMockServer stub) {
    centres(stub, IntStream.rangeClosed(11, 36).mapToObj(n -> "US-TX-" + n).toArray(String[]::new));
    types(
        stub,
        """
        {"id": "NVIDIA H100 80GB HBM3", "displayName": "H100 SXM",
         "p0_8": {"uninterruptablePrice": 2.99, "stockStatus": "Low"}}
        """);
    stub.stubFor(
        post("/graphql").withRequestBody(containing("US-TX-11")).willReturn(serverError()));
  }

  @Override
  protected String partialMarket() {
    return """
        US/US-TX-35/8x_H100-SXM_SECURE/on-demand 8x nvidia-h100-80gb 2.9900 AVAILABLE OFFERED
        US/US-TX-35/8x_H100-SXM_SECURE/spot 8x nvidia-h100-80gb - UNAVAILABLE OFFERED
        US/US-TX-36/8x_H100-SXM_SECURE/on-demand 8x nvidia-h100-80gb - UNAVAILABLE OFFERED
        US/US-TX-36/8x_H100-SXM_SECURE/spot 8x nvidia-h100-80gb - UNAVAILABLE OFFERED
        """;
  }

  @Override
  protected String partialWarning() {
    return "US-TX-11";
  }

  @Test
  void what_was_in_stock_and_is_not_any_more_is_gone_but_not_where_nobody_answered()
      throws Exception {
    happy(stub());
    try (CapacityProbe probe = provider().probe(account(StubCloud.uri()))) {
      assertThat(market(probe)).contains(a100("AVAILABLE"));

      types(stub(), H100);
      assertThat(market(probe)).contains(a100("UNAVAILABLE"));

      types(stub(), H100, A100);
      assertThat(market(probe)).contains(a100("AVAILABLE"));

      centres(stub(), "EU-CZ-1");
      types(stub());
      assertThat(market(probe)).noneMatch(line -> line.contains("A100"));
    }
  }

  private static String a100(String availability) {
    return "US/US-KS-2/8x_A100-SXM_SECURE/spot 8x nvidia-a100-80gb 0.6000 "
        + availability
        + " OFFERED";
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          Unauthorized request, please check your API key | AUTH
          Something went wrong. Please try again later | TRANSIENT
          Cannot query field x on type y | INVALID
          Your account balance is too low | QUOTA
          """)
  void errors_with_http_200_are_failures(String message, FailureClass expected) {
    stub()
        .stubFor(
            post("/graphql")
                .willReturn(
                    okJson(
                        "{\"data\": null, \"errors\": [{\"message\": \"%s %s\"}]}"
                            .formatted(message, KEY))));

    assertThat(failure().failureClass()).isEqualTo(expected);
  }

  @Test
  void errors_beside_data_are_told_and_the_data_is_good() throws Exception {
    happy(stub());
    stub()
        .stubFor(
            post("/graphql")
                .withRequestBody(containing("gpuTypes"))
                .willReturn(
                    okJson(
                        "{\"data\": {\"gpuTypes\": [%s]}, \"errors\": [{\"message\": \"a resolver failed\"}]}"
                            .formatted(A100))));

    Result result = observe();

    assertThat(MarketText.of(result.observations())).contains(a100("AVAILABLE"));
    assertThat(result.warnings()).containsExactly("gpuTypes: a resolver failed");
  }

  @Test
  void a_data_centre_that_is_not_built_like_one_gets_into_no_query() throws Exception {
    centres(stub(), "US-KS-2\\\"}) { id } } #", "US-KS-2");
    types(stub(), H100);

    assertThat(observe(account(StubCloud.uri(), List.of())).observations()).isNotEmpty();
    assertThat(
            stub()
                .findAll(postRequestedFor(urlEqualTo("/graphql")).withRequestBody(containing("#"))))
        .isEmpty();
  }

  @Test
  void countries_are_read_from_the_ids_of_data_centres() {
    assertThat(RunPodQuery.country("US-KS-2")).isEqualTo("US");
    assertThat(RunPodQuery.country("EU-CZ-1")).isEqualTo("CZ");
    assertThat(RunPodQuery.country("EUR-IS-3")).isEqualTo("IS");
    assertThat(RunPodQuery.country("CA-MTL-1")).isEqualTo("CA");
    assertThat(RunPodQuery.country("AP-JP-1")).isEqualTo("JP");
    assertThat(RunPodQuery.country("OC-AU-1")).isEqualTo("AU");
  }

  private static List<String> market(CapacityProbe probe) throws Exception {
    Result result = probe.observe(Set.of("8x_H100-SXM_SECURE"), NOW).toCompletableFuture().get();
    return MarketText.of(result.observations());
  }

  private static void centres(WireMockServer stub, String... ids) {
    String rows =
        List.of(ids).stream()
            .map("{\"id\": \"%s\", \"listed\": true}, "::formatted)
            .collect(Collectors.joining());
    String unlisted = "{\"id\": \"US-OLD-1\", \"listed\": false}";
    stub.stubFor(
        post("/graphql")
            .withRequestBody(containing("dataCenters"))
            .willReturn(okJson("{\"data\": {\"dataCenters\": [" + rows + unlisted + "]}}")));
  }

  private static void types(WireMockServer stub, String... types) {
    stub.stubFor(
        post("/graphql")
            .withRequestBody(containing("gpuTypes"))
            .willReturn(okJson("{\"data\": {\"gpuTypes\": [" + String.join(",", types) + "]}}")));
  }
}
