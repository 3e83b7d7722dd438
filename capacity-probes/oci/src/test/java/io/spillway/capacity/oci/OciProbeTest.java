package io.spillway.capacity.oci;

import static com.github.tomakehurst.wiremock.client.WireMock.aResponse;
import static com.github.tomakehurst.wiremock.client.WireMock.absent;
import static com.github.tomakehurst.wiremock.client.WireMock.any;
import static com.github.tomakehurst.wiremock.client.WireMock.anyUrl;
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

import com.github.tomakehurst.wiremock.WireMockServer;
import com.github.tomakehurst.wiremock.matching.RequestPatternBuilder;
import io.spillway.capacity.spi.AccountSettings;
import io.spillway.capacity.spi.CapacityProvider;
import io.spillway.capacity.testkit.MarketText;
import io.spillway.capacity.testkit.ProbeContract;
import io.spillway.scheduler.market.Observation;
import io.spillway.scheduler.model.Trust;
import java.math.BigDecimal;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class OciProbeTest extends ProbeContract {
  private static final String FRANKFURT = "AbCd:EU-FRANKFURT-1-AD-1";
  private static final String ASHBURN = "AbCd:US-ASHBURN-AD-1";
  private static final String RESERVATION = "ocid1.capacityreservation.oc1.eu-frankfurt-1.rrrr";
  private static final String TENANCY = "ocid1.tenancy.oc1..aaaa";

  private static final String SHAPES =
      """
      [{"shape":"VM.Standard.E5.Flex","ocpus":1.0,"memoryInGBs":12.0,"gpus":0},
       {"shape":"BM.GPU.H100.8","ocpus":112.0,"memoryInGBs":2048.0,"gpus":8,"quotaNames":["gpu-h100-count"]},
       {"shape":"BM.GPU.H200.8","ocpus":112.0,"memoryInGBs":3072.0,"gpus":8,"quotaNames":["gpu-h200-count"]},
       {"shape":"VM.GPU3.1","ocpus":6.0,"memoryInGBs":90.0,"gpus":1,"quotaNames":["gpu3-count"]}]
      """;

  private static final String REPORT =
      """
      {"compartmentId":"ocid1.tenancy.oc1..aaaa","availabilityDomain":"AbCd:EU-FRANKFURT-1-AD-1",
       "timeCreated":"2026-11-30T12:00:00.101Z","shapeAvailabilities":[
       {"instanceShape":"BM.GPU.H100.8","faultDomain":"FAULT-DOMAIN-1","availableCount":0,"availabilityStatus":"OUT_OF_HOST_CAPACITY"},
       {"instanceShape":"BM.GPU.H100.8","faultDomain":"FAULT-DOMAIN-2","availableCount":3,"availabilityStatus":"AVAILABLE"},
       {"instanceShape":"BM.GPU.H100.8","faultDomain":"FAULT-DOMAIN-3","availableCount":null,"availabilityStatus":"OUT_OF_HOST_CAPACITY"},
       {"instanceShape":"VM.GPU3.1","faultDomain":"FAULT-DOMAIN-1","availableCount":0,"availabilityStatus":"HARDWARE_NOT_SUPPORTED"}]}
      """;

  private static final String PRODUCTS =
      """
      {"items":[
       {"partNumber":"B1","billingModel":"UCM","pricetype":"HOUR","currencyCodeLocalizations":[
         {"currencyCode":"EUR","prices":[{"model":"PAY_AS_YOU_GO","value":9.3}]},
         {"currencyCode":"USD","prices":[{"model":"PAY_AS_YOU_GO","value":10.0}]}]},
       {"partNumber":"B3","billingModel":"UCM","pricetype":"HOUR","currencyCodeLocalizations":[
         {"currencyCode":"USD","prices":[{"model":"PAY_AS_YOU_GO","value":2.95}]}]}]}
      """;

  private static final String PRICED =
      """
      {"items":[
       {"name":"BM.GPU.H100.8","hidden":false,"status":"ACTIVE","allowPreemptible":false,"gpuQty":8,"products":[{"type":"ocpu","partNumber":"B1","qty":1}]},
       {"name":"BM.GPU.H200.8","hidden":false,"status":"ACTIVE","allowPreemptible":false,"gpuQty":8,"products":[{"type":"ocpu","partNumber":"B1","qty":1}]},
       {"name":"VM.GPU3.1","hidden":false,"status":"ACTIVE","allowPreemptible":true,"gpuQty":1,"products":[{"type":"ocpu","partNumber":"B3","qty":1}]},
       {"name":"VM.Standard.E5.Flex","gpuQty":0,"products":[]}]}
      """;

  private static final String RESERVED =
      """
      {"id":"%s","lifecycleState":"ACTIVE","availabilityDomain":"%s","reservedInstanceCount":4,"usedInstanceCount":3,
       "instanceReservationConfigs":[
        {"instanceShape":"BM.GPU.H100.8","faultDomain":"FAULT-DOMAIN-1","reservedCount":2,"usedCount":2},
        {"instanceShape":"BM.GPU.H100.8","faultDomain":"FAULT-DOMAIN-2","reservedCount":2,"usedCount":1}]}
      """
          .formatted(RESERVATION, FRANKFURT);

  @Override
  protected CapacityProvider provider() {
    return new OciProvider();
  }

  @Override
  protected AccountSettings account(URI stub) {
    return new AccountSettings(
        "prod",
        Optional.of("ocid1.compartment.oc1..bbbb"),
        List.of("eu-frankfurt-1"),
        Duration.ofMinutes(1),
        BigDecimal.ONE,
        Optional.of(stub),
        Map.of(
            "tenancy",
            TENANCY,
            "user",
            "ocid1.user.oc1..uuuu",
            "fingerprint",
            "11:22:33:44:55:66:77:88:99:00:aa:bb:cc:dd:ee:ff",
            "private-key",
            Keys.PEM));
  }

  @Override
  protected List<String> requiredCredentials() {
    return List.of("tenancy", "user", "fingerprint", "private-key");
  }

  @Override
  protected Set<String> publicCredentials() {
    return Set.of("tenancy", "user", "fingerprint");
  }

  @Override
  protected Set<String> interest() {
    return Set.of("BM.GPU.H100.8", "VM.GPU3.1");
  }

  @Override
  protected List<RequestPatternBuilder> reads() {
    return List.of(
        getRequestedFor(urlPathMatching("/20160918/(availabilityDomains|shapes)"))
            .withHeader("Authorization", matching("Signature .*rsa-sha256.*")),
        getRequestedFor(urlPathMatching("/20160918/computeCapacityReservations(/.*)?")),
        getRequestedFor(urlPathMatching("/20190729/services/compute/limits/.*")),
        postRequestedFor(urlPathEqualTo("/20160918/computeCapacityReports"))
            .withHeader("Authorization", matching("Signature .*x-content-sha256.*")),
        getRequestedFor(urlPathMatching("/a/ocom/docs/cloudestimator2/data/.*"))
            .withHeader("Authorization", absent()));
  }

  @Override
  protected void happy(WireMockServer stub) {
    domains(stub);
    stub.stubFor(get(urlPathEqualTo("/20160918/shapes")).willReturn(okJson(SHAPES)));
    rest(stub);
  }

  private static void domains(WireMockServer stub) {
    stub.stubFor(
        get(urlPathEqualTo("/20160918/availabilityDomains"))
            .willReturn(okJson("[{\"name\":\"" + FRANKFURT + "\",\"id\":\"x\"}]")));
  }

  private static void rest(WireMockServer stub) {
    stub.stubFor(post("/20160918/computeCapacityReports").willReturn(okJson(REPORT)));
    stub.stubFor(
        get(urlPathMatching("/20190729/services/compute/limits/.*"))
            .willReturn(okJson("{\"used\":8,\"available\":8,\"effectiveQuotaValue\":16.0}")));
    stub.stubFor(
        get(urlPathEqualTo("/20160918/computeCapacityReservations"))
            .willReturn(
                okJson("[{\"id\":\"" + RESERVATION + "\",\"lifecycleState\":\"ACTIVE\"}]")));
    stub.stubFor(
        get(urlPathEqualTo("/20160918/computeCapacityReservations/" + RESERVATION))
            .willReturn(okJson(RESERVED)));
    stub.stubFor(get(urlPathMatching("/a/ocom/.*/products.json")).willReturn(okJson(PRODUCTS)));
    stub.stubFor(get(urlPathMatching("/a/ocom/.*/shapes.json")).willReturn(okJson(PRICED)));
  }

  @Override
  protected String happyMarket() {
    return """
        R/EU-FRANKFURT-1-AD-1/BM.GPU.H100.8/on-demand 8x nvidia-h100-80gb 10.0000 AVAILABLE OFFERED
        R/EU-FRANKFURT-1-AD-1/BM.GPU.H200.8/on-demand 8x nvidia-h200-141gb 10.0000 UNKNOWN LISTED
        R/EU-FRANKFURT-1-AD-1/VM.GPU3.1/on-demand 1x nvidia-v100-16gb 2.9500 UNAVAILABLE OFFERED
        R/EU-FRANKFURT-1-AD-1/VM.GPU3.1/spot 1x nvidia-v100-16gb 1.4750 UNAVAILABLE OFFERED
        R/EU-FRANKFURT-1-AD-1/BM.GPU.H100.8/reserved/RES 8x nvidia-h100-80gb 10.0000 AVAILABLE OFFERED
        """
        .replace("R/", "eu-frankfurt-1/")
        .replace("RES", RESERVATION);
  }

  @Override
  protected void empty(WireMockServer stub) {
    domains(stub);
    stub.stubFor(get(urlPathMatching("/20160918/.*")).atPriority(9).willReturn(okJson("[]")));
    stub.stubFor(get(urlPathMatching("/a/.*")).willReturn(okJson("{\"items\":[]}")));
  }

  @Override
  protected boolean paged(WireMockServer stub) {
    domains(stub);
    rest(stub);
    int cut = SHAPES.indexOf(" {\"shape\":\"BM.GPU.H200.8\"");
    String head = SHAPES.substring(0, SHAPES.lastIndexOf(',', cut)) + "]";
    stub.stubFor(
        get(urlPathEqualTo("/20160918/shapes"))
            .withQueryParam("page", absent())
            .willReturn(okJson(head).withHeader("opc-next-page", "p2")));
    stub.stubFor(
        get(urlPathEqualTo("/20160918/shapes"))
            .withQueryParam("page", equalTo("p2"))
            .willReturn(okJson("[" + SHAPES.substring(cut))));
    return true;
  }

  @Override
  protected boolean endless(WireMockServer stub) {
    domains(stub);
    stub.stubFor(
        get(urlPathEqualTo("/20160918/shapes"))
            .willReturn(okJson(SHAPES).withHeader("opc-next-page", "again")));
    stub.stubFor(get(urlPathMatching("/a/.*")).willReturn(okJson("{\"items\":[]}")));
    return true;
  }

  /** The capacity reports fail: everything is sold, and nothing is known of what is free. */
  @Override
  protected void partial(WireMockServer stub) {
    stub.stubFor(
        get(urlPathEqualTo("/20160918/availabilityDomains"))
            .willReturn(
                okJson("[{\"name\":\"" + FRANKFURT + "\"},{\"name\":\"" + ASHBURN + "\"}]")));
    stub.stubFor(get(urlPathEqualTo("/20160918/shapes")).willReturn(okJson(SHAPES)));
    rest(stub);
    stub.stubFor(
        post("/20160918/computeCapacityReports")
            .withRequestBody(matchingJsonPath("$.availabilityDomain", equalTo(ASHBURN)))
            .atPriority(1)
            .willReturn(aResponse().withStatus(503).withBody("{\"code\":\"ServiceUnavailable\"}")));
  }

  @Override
  protected String partialMarket() {
    return happyMarket();
  }

  @Override
  protected String partialWarning() {
    return "US-ASHBURN-AD-1";
  }

  @Override
  protected void throttled(WireMockServer stub) {
    stub.stubFor(
        any(anyUrl())
            .willReturn(
                aResponse()
                    .withStatus(429)
                    .withHeader("Retry-After", "7")
                    .withBody(
                        "{\"code\":\"TooManyRequests\",\"message\":\"Too many requests for the user\"}")));
  }

  @Override
  protected void broken(WireMockServer stub, String words) {
    stub.stubFor(
        any(anyUrl())
            .willReturn(
                aResponse()
                    .withStatus(500)
                    .withBody("{\"code\":\"InternalError\",\"message\":\"" + words + "\"}")));
  }

  @Test
  void a_price_list_that_cannot_be_read_leaves_the_shipped_prices_with_their_name()
      throws Exception {
    happy(stub());
    stub()
        .stubFor(
            get(urlPathMatching("/a/.*")).atPriority(1).willReturn(aResponse().withStatus(500)));

    var result = observe();

    assertThat(result.warnings()).anyMatch(warning -> warning.startsWith("price list"));
    assertThat(result.observations())
        .filteredOn(seen -> seen.key().reservation().isEmpty())
        .allMatch(seen -> seen.trust() == Trust.FALLBACK)
        .allMatch(seen -> seen.source().contains("catalogue 2026-11-30"));
    assertThat(result.observations())
        .filteredOn(seen -> seen.key().reservation().isPresent())
        .allMatch(seen -> seen.price().isEmpty());
  }

  @Test
  void a_limit_of_which_nothing_is_left_keeps_the_shape_from_being_tried() throws Exception {
    happy(stub());
    stub()
        .stubFor(
            get(urlPathMatching("/20190729/.*/gpu-h100-count/.*"))
                .atPriority(1)
                .willReturn(okJson("{\"used\":16,\"available\":0}")));

    assertThat(MarketText.of(observe().observations()))
        .contains(
            "eu-frankfurt-1/EU-FRANKFURT-1-AD-1/BM.GPU.H100.8/on-demand 8x nvidia-h100-80gb"
                + " 10.0000 UNAVAILABLE OFFERED");
  }

  @Test
  void KAR_22_a_full_fault_domain_does_not_hide_the_free_ones() throws Exception {
    happy(stub());

    assertThat(observe().observations())
        .filteredOn(seen -> seen.key().instanceType().equals("BM.GPU.H100.8"))
        .filteredOn(seen -> seen.key().reservation().isEmpty())
        .extracting(Observation::availability, Observation::source)
        .containsOnly(
            org.assertj.core.groups.Tuple.tuple(
                Observation.Availability.AVAILABLE, "capacity report, 1 fault domains"));
  }
}
