package io.spillway.capacity.crusoe;

import static com.github.tomakehurst.wiremock.client.WireMock.get;
import static com.github.tomakehurst.wiremock.client.WireMock.getRequestedFor;
import static com.github.tomakehurst.wiremock.client.WireMock.jsonResponse;
import static com.github.tomakehurst.wiremock.client.WireMock.matching;
import static com.github.tomakehurst.wiremock.client.WireMock.notMatching;
import static com.github.tomakehurst.wiremock.client.WireMock.okJson;
import static com.github.tomakehurst.wiremock.client.WireMock.urlEqualTo;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.github.tomakehurst.wiremock.WireMockServer;
import com.github.tomakehurst.wiremock.matching.RequestPatternBuilder;
import io.spillway.capacity.http.HttpCall;
import io.spillway.capacity.spi.AccountSettings;
import io.spillway.capacity.spi.CapacityProbe.Result;
import io.spillway.capacity.spi.CapacityProvider;
import io.spillway.capacity.testkit.MarketText;
import io.spillway.capacity.testkit.ProbeContract;
import io.spillway.capacity.testkit.StubCloud;
import io.spillway.scheduler.model.FailureClass;
import java.math.BigDecimal;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CrusoeProbeTest extends ProbeContract {
  private static final String SECRET = "c2VjcmV0LWtleS1tYWRlLXVwLWZvci10ZXN0cw";
  private static final String CAPACITIES = "/v1alpha5/capacities";
  private static final String TYPES = "/v1alpha5/projects/p-made-up/compute/vms/types";

  private static final String FREE =
      """
      {"items": [
        {"type": "h100-80gb-sxm-ib.8x", "location": "us-east1-a", "quantity": 0},
        {"type": "h100-80gb-sxm-ib.8x", "location": "us-east1-a", "quantity": 3},
        {"type": "gb900-1tb.4x", "location": "us-east1-a", "quantity": 9},
        {"type": "c1a.2x", "location": "eu-iceland1-a", "quantity": 40}]}
      """;

  private static final String LISTED =
      """
      {"items": [
        {"product_name": "h100-80gb-sxm-ib.8x", "cpu_type": "icelake", "cpu_cores": 176,
         "memory_gb": 960, "disk_gb": 0, "gpu_type": "h100", "num_gpu": 8},
        {"product_name": "c1a.2x", "cpu_type": "genoa", "cpu_cores": 2, "memory_gb": 8,
         "disk_gb": 0, "gpu_type": "", "num_gpu": 0}]}
      """;

  private static final String MARKET =
      """
      us-east1-a/us-east1-a/h100-80gb-sxm-ib.8x/on-demand 8x nvidia-h100-80gb 3.9000 AVAILABLE FALLBACK
      us-east1-a/us-east1-a/h100-80gb-sxm-ib.8x/spot 8x nvidia-h100-80gb 1.6000 UNKNOWN FALLBACK
      us-east1-a/us-east1-a/h200-141gb-sxm-ib.8x/on-demand 8x nvidia-h200-141gb 4.2900 UNAVAILABLE FALLBACK
      us-east1-a/us-east1-a/b200-180gb-sxm-ib.8x/on-demand 8x nvidia-b200-180gb 7.2500 UNAVAILABLE FALLBACK
      us-east1-a/us-east1-a/a100-80gb-sxm-ib.8x/on-demand 8x nvidia-a100-80gb 1.9500 UNAVAILABLE FALLBACK
      us-east1-a/us-east1-a/a100-80gb-sxm-ib.8x/spot 8x nvidia-a100-80gb 1.3000 UNKNOWN FALLBACK
      us-east1-a/us-east1-a/a100-80gb.1x/on-demand 1x nvidia-a100-80gb-pcie 1.6500 UNAVAILABLE FALLBACK
      us-east1-a/us-east1-a/a100-80gb.1x/spot 1x nvidia-a100-80gb-pcie 1.2000 UNKNOWN FALLBACK
      us-east1-a/us-east1-a/a100.1x/on-demand 1x nvidia-a100-40gb-pcie 1.4500 UNAVAILABLE FALLBACK
      us-east1-a/us-east1-a/a100.1x/spot 1x nvidia-a100-40gb-pcie 1.0000 UNKNOWN FALLBACK
      us-east1-a/us-east1-a/l40s-48gb.1x/on-demand 1x nvidia-l40s-48gb-pcie 1.0000 UNAVAILABLE FALLBACK
      us-east1-a/us-east1-a/l40s-48gb.1x/spot 1x nvidia-l40s-48gb-pcie 0.5000 UNKNOWN FALLBACK
      us-east1-a/us-east1-a/mi300x-192gb-ib.8x/on-demand 8x amd-mi300x-192gb 3.4500 UNAVAILABLE FALLBACK
      us-east1-a/us-east1-a/mi300x-192gb-ib.8x/spot 8x amd-mi300x-192gb 0.9500 UNKNOWN FALLBACK
      eu-iceland1-a/eu-iceland1-a/h100-80gb-sxm-ib.8x/on-demand 8x nvidia-h100-80gb 3.9000 UNAVAILABLE FALLBACK
      eu-iceland1-a/eu-iceland1-a/h100-80gb-sxm-ib.8x/spot 8x nvidia-h100-80gb 1.6000 UNKNOWN FALLBACK
      eu-iceland1-a/eu-iceland1-a/h200-141gb-sxm-ib.8x/on-demand 8x nvidia-h200-141gb 4.2900 UNAVAILABLE FALLBACK
      eu-iceland1-a/eu-iceland1-a/b200-180gb-sxm-ib.8x/on-demand 8x nvidia-b200-180gb 7.2500 UNAVAILABLE FALLBACK
      eu-iceland1-a/eu-iceland1-a/a100-80gb-sxm-ib.8x/on-demand 8x nvidia-a100-80gb 1.9500 UNAVAILABLE FALLBACK
      eu-iceland1-a/eu-iceland1-a/a100-80gb-sxm-ib.8x/spot 8x nvidia-a100-80gb 1.3000 UNKNOWN FALLBACK
      eu-iceland1-a/eu-iceland1-a/a100-80gb.1x/on-demand 1x nvidia-a100-80gb-pcie 1.6500 UNAVAILABLE FALLBACK
      eu-iceland1-a/eu-iceland1-a/a100-80gb.1x/spot 1x nvidia-a100-80gb-pcie 1.2000 UNKNOWN FALLBACK
      eu-iceland1-a/eu-iceland1-a/a100.1x/on-demand 1x nvidia-a100-40gb-pcie 1.4500 UNAVAILABLE FALLBACK
      eu-iceland1-a/eu-iceland1-a/a100.1x/spot 1x nvidia-a100-40gb-pcie 1.0000 UNKNOWN FALLBACK
      eu-iceland1-a/eu-iceland1-a/l40s-48gb.1x/on-demand 1x nvidia-l40s-48gb-pcie 1.0000 UNAVAILABLE FALLBACK
      eu-iceland1-a/eu-iceland1-a/l40s-48gb.1x/spot 1x nvidia-l40s-48gb-pcie 0.5000 UNKNOWN FALLBACK
      eu-iceland1-a/eu-iceland1-a/mi300x-192gb-ib.8x/on-demand 8x amd-mi300x-192gb 3.4500 UNAVAILABLE FALLBACK
      eu-iceland1-a/eu-iceland1-a/mi300x-192gb-ib.8x/spot 8x amd-mi300x-192gb 0.9500 UNKNOWN FALLBACK
      """;

  @Override
  protected CapacityProvider provider() {
    return new CrusoeProvider();
  }

  @Override
  protected AccountSettings account(URI stub) {
    return new AccountSettings(
        "prod",
        Optional.empty(),
        List.of("us-east1-a", "eu-iceland1-a"),
        Duration.ofMinutes(1),
        BigDecimal.ONE,
        Optional.of(stub),
        Map.of(
            "access-key", "AKmadeup00",
            "secret-key", SECRET,
            "project-id", "p-made-up"));
  }

  @Override
  protected Set<String> publicCredentials() {
    return Set.of("project-id");
  }

  @Override
  protected List<String> requiredCredentials() {
    return List.of("access-key", "secret-key", "project-id");
  }

  @Override
  protected Set<String> interest() {
    return Set.of("h100-80gb-sxm-ib.8x");
  }

  @Override
  protected List<RequestPatternBuilder> reads() {
    return List.of(signed(CAPACITIES), signed(TYPES));
  }

  private static RequestPatternBuilder signed(String path) {
    return getRequestedFor(urlEqualTo(path))
        .withHeader("X-Crusoe-Timestamp", matching("2026-11-30T\\d\\d:\\d\\d:\\d\\d\\+00:00"))
        .withHeader("Authorization", matching("Bearer 1\\.0:AKmadeup00:[A-Za-z0-9_-]{43}"));
  }

  @Override
  protected void happy(WireMockServer stub) {
    answers(stub, FREE, LISTED);
  }

  @Override
  protected String happyMarket() {
    return MARKET;
  }

  @Override
  protected void empty(WireMockServer stub) {
    answers(stub, "{\"items\": []}", "{\"items\": []}");
  }

  @Override
  protected void partial(WireMockServer stub) {
    happy(stub);
    stub.stubFor(get(TYPES).willReturn(jsonResponse("{\"message\": \"try later\"}", 503)));
  }

  /** The shipped shapes serve. */
  @Override
  protected String partialMarket() {
    return MARKET;
  }

  @Override
  protected String partialWarning() {
    return "types: GET";
  }

  @Test
  void an_empty_list_of_capacities_is_told_and_taken_for_no_answer() throws Exception {
    answers(stub(), "{\"items\": []}", LISTED);

    Result result = observe();

    assertThat(result.observations()).isEmpty();
    assertThat(result.warnings()).anyMatch(warning -> warning.contains("list is empty"));
  }

  @Test
  void without_regions_the_places_are_those_of_the_answer() throws Exception {
    answers(stub(), FREE, LISTED);
    AccountSettings here = account(StubCloud.uri());

    Result result =
        observe(
            new AccountSettings(
                here.name(),
                here.accountId(),
                List.of(),
                here.interval(),
                here.discount(),
                here.endpoint(),
                here.credentials()));

    assertThat(result.observations())
        .extracting(seen -> seen.key().region())
        .contains("us-east1-a", "eu-iceland1-a");
  }

  @Test
  void a_type_of_the_providers_list_has_its_own_shape_and_no_invented_price() throws Exception {
    answers(
        stub(),
        FREE.replace("gb900-1tb.4x", "l40s-48gb.10x"),
        LISTED.replace("c1a.2x", "l40s-48gb.10x").replace("\"num_gpu\": 0", "\"num_gpu\": 10"));

    assertThat(MarketText.of(observe().observations()))
        .contains(
            "us-east1-a/us-east1-a/l40s-48gb.10x/on-demand 10x nvidia-l40s-48gb-pcie - AVAILABLE"
                + " OFFERED");
  }

  @Test
  void the_signature_is_the_one_that_the_interface_describes() {
    HttpCall signed =
        new CrusoeSignature("AKmadeup00", SECRET)
            .sign(
                HttpCall.get(CAPACITIES).with("zone", "b c").with("location", "us-east1-a"),
                Instant.parse("2026-11-30T08:15:42.9Z"));

    // The same by another program: HMAC-SHA256 over path, query, method and time.
    assertThat(signed.headers())
        .containsEntry("X-Crusoe-Timestamp", "2026-11-30T08:15:42+00:00")
        .containsEntry(
            "Authorization", "Bearer 1.0:AKmadeup00:V9zkWSrX5A-PbeFIBJN5dWC7QMmD-Tp2ujt7tD-qnYM");
  }

  @Test
  void a_secret_that_is_none_is_named_and_not_shown() {
    assertThatThrownBy(() -> new CrusoeSignature("AKmadeup00", "not*base64"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("secret-key")
        .hasMessageNotContaining("base64")
        .hasNoCause();
  }

  @Test
  void when_our_clock_was_wrong_the_call_is_signed_again_by_the_providers() throws Exception {
    StubCloud.clock(NOW.plusSeconds(3_600));
    answers(stub(), FREE, LISTED);
    for (String path : List.of(CAPACITIES, TYPES)) {
      stub()
          .stubFor(
              // Both are under way at once: the second may know the clock already and is not
              // refused.
              get(path)
                  .atPriority(1)
                  .withHeader("X-Crusoe-Timestamp", notMatching("2026-11-30T13:00:0.*"))
                  .willReturn(jsonResponse("{\"code\": \"unauthorized\"}", 401)));
    }

    Result result = observe();

    assertThat(MarketText.of(result.observations())).isEqualTo(MarketText.lines(MARKET));
    assertThat(stub().getAllServeEvents())
        .filteredOn(event -> event.getResponse().getStatus() == 200)
        .extracting(event -> event.getRequest().getHeader("X-Crusoe-Timestamp"))
        .hasSize(2)
        .allMatch(time -> time.startsWith("2026-11-30T13:00:0"));
  }

  @ParameterizedTest(name = "{0} {1}")
  @CsvSource({
    "401, unauthorized, the signature does not match, AUTH",
    "403, forbidden, not a member of the project, AUTH",
    "403, forbidden, the quota of the project is used up, QUOTA",
    "404, not_found, no such project, INVALID",
    "400, bad_request, unknown parameter, INVALID",
    "429, too_many_requests, slow down, THROTTLED",
    "500, internal_error, an internal error occurred, TRANSIENT",
    "503, unavailable, try again, TRANSIENT"
  })
  void each_documented_error_of_a_call(
      int status, String code, String message, FailureClass expected) {
    stub()
        .stubFor(
            get(CAPACITIES)
                .willReturn(
                    jsonResponse(
                        "{\"code\":\"%s\",\"message\":\"%s\"}".formatted(code, message), status)));
    stub().stubFor(get(TYPES).willReturn(okJson(LISTED)));

    assertThat(failure().failureClass()).isEqualTo(expected);
  }

  private static void answers(WireMockServer stub, String capacities, String types) {
    stub.stubFor(get(CAPACITIES).willReturn(okJson(capacities)));
    stub.stubFor(get(TYPES).willReturn(okJson(types)));
  }
}
