package io.spillway.capacity.hyperstack;

import static com.github.tomakehurst.wiremock.client.WireMock.equalTo;
import static com.github.tomakehurst.wiremock.client.WireMock.get;
import static com.github.tomakehurst.wiremock.client.WireMock.getRequestedFor;
import static com.github.tomakehurst.wiremock.client.WireMock.jsonResponse;
import static com.github.tomakehurst.wiremock.client.WireMock.okJson;
import static com.github.tomakehurst.wiremock.client.WireMock.urlEqualTo;
import static com.github.tomakehurst.wiremock.client.WireMock.urlPathEqualTo;
import static org.assertj.core.api.Assertions.assertThat;

import com.github.tomakehurst.wiremock.WireMockServer;
import com.github.tomakehurst.wiremock.matching.RequestPatternBuilder;
import io.spillway.capacity.spi.AccountSettings;
import io.spillway.capacity.spi.CapacityProbe.Result;
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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HyperstackProbeTest extends ProbeContract {
  private static final String FLAVOURS = "/v1/core/flavors";
  private static final String PRICES = "/v1/pricebook";
  private static final String KEY = "hs-0a1b2c3d4e5f";

  private static final String H100 =
      """
      {"gpu": "H100-80G-PCIe", "region_name": "CANADA-1", "flavors": [
        {"id": 1, "name": "n3-H100x1", "cpu": 28, "ram": 180.0, "disk": 100, "gpu_count": 1,
         "stock_available": false},
        {"id": 2, "name": "n3-H100x8", "cpu": 252, "ram": 1440.0, "disk": 100, "gpu_count": 8,
         "stock_available": true}]}
      """;

  private static final String H100_SPOT =
      """
      {"gpu": "H100-80G-PCIe-spot", "region_name": "CANADA-1", "flavors": [
        {"id": 3, "name": "n3-H100x8-spot", "cpu": 252, "ram": 1440.0, "gpu_count": 8,
         "stock_available": true}]}
      """;

  /** Not in the price book. */
  private static final String SXM =
      """
      {"gpu": "H100-80G-SXM5", "region_name": "NORWAY-1", "flavors": [
        {"id": 4, "name": "n3-H100-SXM5x8", "cpu": 192, "ram": 1800.0, "gpu_count": 8,
         "stock_available": true}]}
      """;

  private static final String CPU =
      """
      {"gpu": "", "region_name": "CANADA-1", "flavors": [
        {"id": 5, "name": "n1-cpu-small", "cpu": 4, "ram": 4.0, "gpu_count": 0,
         "stock_available": true}]}
      """;

  private static final String BOOK =
      """
      [{"name": "H100-80G-PCIe", "value": "1.90", "original_value": "2.10"},
       {"name": "H100-80G-PCIe-spot", "value": "1.52", "original_value": "1.52"},
       {"name": "vCPU", "value": "0.00"}, {"name": "storage", "value": null}]
      """;

  @Override
  protected CapacityProvider provider() {
    return new HyperstackProvider();
  }

  @Override
  protected AccountSettings account(URI stub) {
    return new AccountSettings(
        "prod",
        Optional.empty(),
        List.of("CANADA-1", "NORWAY-1"),
        Duration.ofSeconds(60),
        BigDecimal.ONE,
        Optional.of(stub.resolve("/v1")),
        Map.of("api-key", KEY));
  }

  @Override
  protected List<String> requiredCredentials() {
    return List.of("api-key");
  }

  @Override
  protected Set<String> interest() {
    return Set.of("n3-H100x8");
  }

  @Override
  protected List<RequestPatternBuilder> reads() {
    return List.of(
        getRequestedFor(urlPathEqualTo(FLAVOURS)).withHeader("api_key", equalTo(KEY)),
        getRequestedFor(urlEqualTo(PRICES)).withHeader("api_key", equalTo(KEY)));
  }

  @Override
  protected void happy(WireMockServer stub) {
    flavours(stub, "CANADA-1", H100, H100_SPOT, CPU);
    flavours(stub, "NORWAY-1", SXM);
    stub.stubFor(get(PRICES).willReturn(okJson(BOOK)));
  }

  @Override
  protected String happyMarket() {
    return """
        CANADA-1/CANADA-1/n3-H100x1/on-demand      1x nvidia-h100-80gb-pcie 1.9000 UNAVAILABLE OFFERED
        CANADA-1/CANADA-1/n3-H100x8/on-demand      8x nvidia-h100-80gb-pcie 1.9000 AVAILABLE   OFFERED
        CANADA-1/CANADA-1/n3-H100x8-spot/spot      8x nvidia-h100-80gb-pcie 1.5200 AVAILABLE   OFFERED
        NORWAY-1/NORWAY-1/n3-H100-SXM5x8/on-demand 8x nvidia-h100-80gb      2.4000 AVAILABLE   FALLBACK
        """;
  }

  @Override
  protected void empty(WireMockServer stub) {
    flavours(stub, "CANADA-1");
    flavours(stub, "NORWAY-1");
    stub.stubFor(get(PRICES).willReturn(okJson("[]")));
  }

  @Override
  protected void partial(WireMockServer stub) {
    happy(stub);
    stub.stubFor(
        get(urlPathEqualTo(FLAVOURS))
            .withQueryParam("region", equalTo("NORWAY-1"))
            .willReturn(jsonResponse("{\"status\": false, \"message\": \"made-up\"}", 500)));
  }

  @Override
  protected String partialMarket() {
    return happyMarket().lines().filter(line -> !line.contains("NORWAY")).reduce("", this::joined);
  }

  private String joined(String a, String b) {
    return a + '\n' + b;
  }

  @Override
  protected String partialWarning() {
    return "NORWAY-1: GET /core/flavors: status 500";
  }

  @Test
  void without_the_price_book_stock_is_told_with_the_shipped_prices() throws Exception {
    happy(stub());
    stub().stubFor(get(PRICES).willReturn(jsonResponse("{}", 502)));

    Result result = observe();

    assertThat(MarketText.of(result.observations()))
        .contains(
            "CANADA-1/CANADA-1/n3-H100x8/on-demand 8x nvidia-h100-80gb-pcie 1.9000 AVAILABLE"
                + " FALLBACK",
            "CANADA-1/CANADA-1/n3-H100x8-spot/spot 8x nvidia-h100-80gb-pcie - AVAILABLE OFFERED");
    assertThat(result.warnings()).anyMatch(warning -> warning.startsWith("prices: "));
  }

  @ParameterizedTest
  @CsvSource({
    "Invalid API key, AUTH",
    "Quota exceeded, QUOTA",
    "insufficient credit, QUOTA",
    "Something else, INVALID"
  })
  void a_failure_with_http_200_is_a_failure(String message, FailureClass expected) {
    String body = "{\"status\": false, \"message\": \"" + message + ' ' + KEY + "\"}";
    stub().stubFor(get(urlPathEqualTo(FLAVOURS)).willReturn(okJson(body)));
    stub().stubFor(get(PRICES).willReturn(okJson("[]")));

    assertThat(failure().failureClass()).isEqualTo(expected);
  }

  private static void flavours(WireMockServer stub, String region, String... groups) {
    stub.stubFor(
        get(urlPathEqualTo(FLAVOURS))
            .withQueryParam("region", equalTo(region))
            .willReturn(
                okJson(
                    "{\"status\": true, \"message\": \"made-up\", \"data\": ["
                        + String.join(",", groups)
                        + "]}")));
  }
}
