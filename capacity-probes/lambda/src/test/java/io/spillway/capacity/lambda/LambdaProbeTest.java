package io.spillway.capacity.lambda;

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

class LambdaProbeTest extends ProbeContract {
  private static final String PATH = "/api/v1/instance-types";

  private static final String H100 =
      """
      "gpu_8x_h100_sxm5": {
        "instance_type": {"name": "gpu_8x_h100_sxm5", "description": "8x H100 (80 GB SXM5)",
          "gpu_description": "H100 (80 GB SXM5)", "price_cents_per_hour": 2392,
          "specs": {"vcpus": 208, "memory_gib": 1800, "storage_gib": 22528, "gpus": 8}},
        "regions_with_capacity_available": [{"name": "us-east-1", "description": "Virginia, USA"}]}
      """;

  private static final String B200 =
      """
      "gpu_8x_b200_sxm6": {
        "instance_type": {"name": "gpu_8x_b200_sxm6", "price_cents_per_hour": 3992,
          "specs": {"vcpus": 208, "memory_gib": 2900, "storage_gib": 22528, "gpus": 8}},
        "regions_with_capacity_available": []}
      """;

  private static final String CPU =
      """
      "cpu_4x_general": {
        "instance_type": {"name": "cpu_4x_general", "price_cents_per_hour": 20,
          "specs": {"vcpus": 4, "memory_gib": 16, "storage_gib": 512, "gpus": 0}},
        "regions_with_capacity_available": [{"name": "us-east-1"}]}
      """;

  @Override
  protected CapacityProvider provider() {
    return new LambdaProvider();
  }

  @Override
  protected AccountSettings account(URI stub) {
    return new AccountSettings(
        "prod",
        Optional.empty(),
        List.of("us-east-1", "us-west-1"),
        Duration.ofSeconds(30),
        BigDecimal.ONE,
        Optional.of(stub.resolve("/api/v1")),
        Map.of("api-key", "secret_prod_0a1b2c3d4e5f"));
  }

  @Override
  protected List<String> requiredCredentials() {
    return List.of("api-key");
  }

  @Override
  protected Set<String> interest() {
    return Set.of("gpu_8x_h100_sxm5");
  }

  @Override
  protected List<RequestPatternBuilder> reads() {
    return List.of(
        getRequestedFor(urlEqualTo(PATH))
            .withHeader("Authorization", equalTo("Bearer secret_prod_0a1b2c3d4e5f")));
  }

  @Override
  protected void happy(WireMockServer stub) {
    types(stub, H100 + ',' + B200 + ',' + CPU);
  }

  @Override
  protected String happyMarket() {
    return """
        us-east-1/us-east-1/gpu_8x_h100_sxm5/on-demand 8x nvidia-h100-80gb  2.9900 AVAILABLE   OFFERED
        us-west-1/us-west-1/gpu_8x_h100_sxm5/on-demand 8x nvidia-h100-80gb  2.9900 UNAVAILABLE OFFERED
        us-east-1/us-east-1/gpu_8x_b200_sxm6/on-demand 8x nvidia-b200-180gb 4.9900 UNAVAILABLE OFFERED
        us-west-1/us-west-1/gpu_8x_b200_sxm6/on-demand 8x nvidia-b200-180gb 4.9900 UNAVAILABLE OFFERED
        """;
  }

  @Override
  protected void empty(WireMockServer stub) {
    types(stub, "");
  }

  @Override
  protected void partial(WireMockServer stub) {
    types(stub, H100 + ',' + B200.replace("\"gpus\": 8", "\"gpus\": \"eight\""));
  }

  @Override
  protected String partialMarket() {
    return happyMarket()
        .lines()
        .filter(line -> line.contains("h100"))
        .reduce("", (a, b) -> a + '\n' + b);
  }

  @Override
  protected String partialWarning() {
    return "1 of 2 rows left out";
  }

  @Test
  void without_regions_all_are_told_and_new_ones_are_learnt_from_the_answer() throws Exception {
    types(stub(), H100.replace("us-east-1", "mars-north-1"));
    AccountSettings everywhere =
        new AccountSettings(
            "prod",
            Optional.empty(),
            List.of(),
            Duration.ofSeconds(30),
            BigDecimal.ONE,
            account(URI.create(stub().baseUrl())).endpoint(),
            account(URI.create(stub().baseUrl())).credentials());

    List<String> seen = MarketText.of(observe(everywhere).observations());

    assertThat(seen)
        .hasSize(18)
        .contains(
            "mars-north-1/mars-north-1/gpu_8x_h100_sxm5/on-demand 8x nvidia-h100-80gb 2.9900"
                + " AVAILABLE OFFERED")
        .contains(
            "us-west-3/us-west-3/gpu_8x_h100_sxm5/on-demand 8x nvidia-h100-80gb 2.9900"
                + " UNAVAILABLE OFFERED");
  }

  @Test
  void a_type_without_a_price_shows_the_shipped_one_and_is_not_trusted() throws Exception {
    types(stub(), H100.replace("2392", "0"));

    assertThat(MarketText.of(observe().observations()))
        .contains(
            "us-east-1/us-east-1/gpu_8x_h100_sxm5/on-demand 8x nvidia-h100-80gb 2.9900"
                + " AVAILABLE FALLBACK");
  }

  @Test
  void what_each_gpu_is_called() {
    assertThat(LambdaGpus.of("gpu_8x_a100").orElseThrow().name()).isEqualTo("nvidia-a100-40gb");
    assertThat(LambdaGpus.of("gpu_1x_a100").orElseThrow().name())
        .isEqualTo("nvidia-a100-40gb-pcie");
    assertThat(LambdaGpus.of("gpu_1x_gh200").orElseThrow().name()).isEqualTo("nvidia-gh200-96gb");
    assertThat(LambdaGpus.of("cpu_4x_general")).isEmpty();
    assertThat(LambdaGpus.of("gpu_8x_z900")).isEmpty();
  }

  @ParameterizedTest(name = "{0} {1}")
  @CsvSource({
    "401, global/invalid-api-key, API key was invalid, AUTH",
    "403, global/account-inactive, Your account is inactive, AUTH",
    "403, global/quota-exceeded, Quota exceeded, QUOTA",
    "400, global/invalid-parameters, Invalid request data, INVALID",
    "404, global/object-does-not-exist, Specified object does not exist, INVALID",
    "429, global/too-many-requests, Slow down, THROTTLED",
    "500, global/unknown, An unknown error occurred, TRANSIENT",
    "502, global/internal-error, Bad gateway, TRANSIENT"
  })
  void each_documented_error_of_a_call(
      int status, String code, String message, FailureClass expected) {
    stub()
        .stubFor(
            get(PATH)
                .willReturn(
                    jsonResponse(
                        "{\"error\":{\"code\":\"%s\",\"message\":\"%s\",\"suggestion\":\"-\"}}"
                            .formatted(code, message),
                        status)));

    assertThat(failure().failureClass()).isEqualTo(expected);
  }

  private static void types(WireMockServer stub, String members) {
    stub.stubFor(get(PATH).willReturn(okJson("{\"data\": {" + members + "}}")));
  }
}
