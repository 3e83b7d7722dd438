package io.spillway.capacity.fluidstack;

import static com.github.tomakehurst.wiremock.client.WireMock.equalTo;
import static com.github.tomakehurst.wiremock.client.WireMock.get;
import static com.github.tomakehurst.wiremock.client.WireMock.getRequestedFor;
import static com.github.tomakehurst.wiremock.client.WireMock.jsonResponse;
import static com.github.tomakehurst.wiremock.client.WireMock.okJson;
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
import org.junit.jupiter.api.Test;

class FluidStackProbeTest extends ProbeContract {
  private static final String PATH = "/list_available_configurations";
  private static final String KEY = "fs-0a1b2c3d4e5f";

  private static final String H100 =
      """
      {"gpu_type": "H100_SXM5_80GB", "gpu_counts": [1, 8], "price_per_gpu_hr": "2.89",
       "estimated_provisioning_time_minutes": 5, "regions": ["NORWAY_4_EU", "TEXAS_1_US"]}
      """;

  /** In a region that the account does not use. */
  private static final String A100 =
      """
      {"gpu_type": "A100_PCIE_80GB", "gpu_counts": [4], "price_per_gpu_hr": "1.49",
       "regions": ["CANADA_2_CA"]}
      """;

  private static final String UNKNOWN =
      """
      {"gpu_type": "RTX_A2000_6GB", "gpu_counts": [1], "price_per_gpu_hr": "0.20",
       "regions": ["NORWAY_4_EU"]}
      """;

  @Override
  protected CapacityProvider provider() {
    return new FluidStackProvider();
  }

  @Override
  protected AccountSettings account(URI stub) {
    return account(stub, List.of("NORWAY_4_EU"));
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
    return Set.of("8x_H100_SXM5_80GB", "8x_A100_PCIE_80GB", "p5.48xlarge");
  }

  @Override
  protected List<RequestPatternBuilder> reads() {
    return List.of(getRequestedFor(urlEqualTo(PATH)).withHeader("api-key", equalTo(KEY)));
  }

  @Override
  protected void happy(WireMockServer stub) {
    configurations(stub, H100, A100, UNKNOWN);
  }

  @Override
  protected String happyMarket() {
    return """
        NORWAY_4_EU/NORWAY_4_EU/1x_H100_SXM5_80GB/on-demand 1x nvidia-h100-80gb 2.8900 AVAILABLE OFFERED
        NORWAY_4_EU/NORWAY_4_EU/8x_H100_SXM5_80GB/on-demand 8x nvidia-h100-80gb 2.8900 AVAILABLE OFFERED
        NORWAY_4_EU/NORWAY_4_EU/8x_A100_PCIE_80GB/on-demand 8x nvidia-a100-80gb-pcie - UNAVAILABLE OFFERED
        """;
  }

  @Override
  protected void empty(WireMockServer stub) {
    configurations(stub);
  }

  /** What is not listed is not available, by FluidStack's word. */
  @Override
  protected String emptyMarket() {
    return """
        NORWAY_4_EU/NORWAY_4_EU/8x_H100_SXM5_80GB/on-demand 8x nvidia-h100-80gb - UNAVAILABLE OFFERED
        NORWAY_4_EU/NORWAY_4_EU/8x_A100_PCIE_80GB/on-demand 8x nvidia-a100-80gb-pcie - UNAVAILABLE OFFERED
        """;
  }

  @Override
  protected void partial(WireMockServer stub) {
    configurations(stub, H100, "{\"gpu_type\": \"H100_PCIE_80GB\", \"regions\": 7}");
  }

  @Override
  protected String partialMarket() {
    return happyMarket();
  }

  @Override
  protected String partialWarning() {
    return "1 of 2 rows left out";
  }

  @Test
  void without_regions_all_are_seen_and_what_is_left_out_later_is_gone() throws Exception {
    configurations(stub(), H100, A100);
    try (CapacityProbe probe = provider().probe(account(StubCloud.uri(), List.of()))) {
      assertThat(market(probe)).hasSize(5).allMatch(line -> line.contains(" AVAILABLE "));

      configurations(stub(), H100);

      assertThat(market(probe))
          .hasSize(5)
          .contains(
              "CANADA_2_CA/CANADA_2_CA/4x_A100_PCIE_80GB/on-demand 4x nvidia-a100-80gb-pcie"
                  + " 1.4900 UNAVAILABLE OFFERED");

      configurations(stub(), H100, A100);

      assertThat(market(probe)).hasSize(5).allMatch(line -> line.contains(" AVAILABLE "));
    }
  }

  @Test
  void no_price_and_a_price_of_zero_are_no_price() throws Exception {
    configurations(
        stub(),
        H100.replace("\"2.89\"", "null"),
        H100.replace("H100_SXM5", "H100_PCIE").replace("\"2.89\"", "\"0.00\""));

    assertThat(MarketText.of(observe().observations()))
        .contains(
            "NORWAY_4_EU/NORWAY_4_EU/8x_H100_SXM5_80GB/on-demand 8x nvidia-h100-80gb - AVAILABLE"
                + " OFFERED",
            "NORWAY_4_EU/NORWAY_4_EU/8x_H100_PCIE_80GB/on-demand 8x nvidia-h100-80gb-pcie -"
                + " AVAILABLE OFFERED");
  }

  @Test
  void an_unpaid_account_waits_for_the_next_interval() {
    stub()
        .stubFor(get(PATH).willReturn(jsonResponse("{\"error\": \"insufficient balance\"}", 402)));

    assertThat(failure().failureClass()).isEqualTo(FailureClass.QUOTA);
  }

  private static List<String> market(CapacityProbe probe) throws Exception {
    Result result = probe.observe(Set.of(), NOW).toCompletableFuture().get();
    return MarketText.of(result.observations());
  }

  private static void configurations(WireMockServer stub, String... rows) {
    stub.stubFor(get(PATH).willReturn(okJson('[' + String.join(",", rows) + ']')));
  }
}
