package io.spillway.capacity.azure;

import static com.github.tomakehurst.wiremock.client.WireMock.aResponse;
import static com.github.tomakehurst.wiremock.client.WireMock.absent;
import static com.github.tomakehurst.wiremock.client.WireMock.containing;
import static com.github.tomakehurst.wiremock.client.WireMock.equalTo;
import static com.github.tomakehurst.wiremock.client.WireMock.get;
import static com.github.tomakehurst.wiremock.client.WireMock.getRequestedFor;
import static com.github.tomakehurst.wiremock.client.WireMock.matching;
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

class AzureProbeTest extends ProbeContract {
  private static final String SUBSCRIPTION = "0a000000-0000-0000-0000-000000000001";
  private static final String ROOT = "/subscriptions/" + SUBSCRIPTION;
  private static final String COMPUTE = ROOT + "/providers/Microsoft.Compute/";
  private static final String GROUP =
      ROOT + "/resourceGroups/gpu/providers/Microsoft.Compute/capacityReservationGroups/g1";

  private static final String H100 =
      """
      {"resourceType":"virtualMachines","name":"Standard_ND96isr_H100_v5","family":"standardNDSH100v5Family","locations":["eastus"],
       "locationInfo":[{"location":"eastus","zones":["1","3"],"zoneDetails":[]}],
       "capabilities":[{"name":"vCPUs","value":"96"},{"name":"MemoryGB","value":"1900"},{"name":"GPUs","value":"8"},{"name":"LowPriorityCapable","value":"True"}],
       "restrictions":[{"type":"Zone","values":["eastus"],"restrictionInfo":{"locations":["eastus"],"zones":["1"]},"reasonCode":"NotAvailableForSubscription"}]}
      """;

  private static final String A100 =
      """
      {"resourceType":"virtualMachines","name":"Standard_ND96asr_v4","family":"standardNDASv4_A100Family","locations":["eastus"],
       "locationInfo":[{"location":"eastus","zones":[]}],
       "capabilities":[{"name":"vCPUs","value":"96"},{"name":"MemoryGB","value":"900"},{"name":"GPUs","value":"8"},{"name":"LowPriorityCapable","value":"True"}],
       "restrictions":[]},
      {"resourceType":"virtualMachines","name":"Standard_D4s_v5","family":"standardDSv5Family","capabilities":[{"name":"vCPUs","value":"4"}]},
      {"resourceType":"disks","name":"Premium_LRS"}
      """;

  private static final String USAGES =
      """
      {"value":[{"name":{"value":"standardNDSH100v5Family"},"currentValue":0,"limit":192,"unit":"Count"},
       {"name":{"value":"standardNDASv4_A100Family"},"currentValue":96,"limit":96,"unit":"Count"},
       {"name":{"value":"cores"},"currentValue":0,"limit":1000,"unit":"Count"},
       {"name":{"value":"lowPriorityCores"},"currentValue":0,"limit":200,"unit":"Count"}]}
      """;

  private static final String SCORES =
      """
      {"placementScores":[
       {"sku":"Standard_ND96isr_H100_v5","region":"eastus","availabilityZone":"3","score":"Medium","isQuotaAvailable":true},
       {"sku":"Standard_ND96isr_H100_v5","region":"eastus","availabilityZone":"1","score":"RestrictedSkuNotAvailable"}]}
      """;

  private static final String PRICES =
      """
      {"BillingCurrency":"USD","Items":[
       {"currencyCode":"USD","retailPrice":98.32,"armRegionName":"eastus","meterName":"ND96isr H100 v5","productName":"Virtual Machines NDsr H100 v5 Series","armSkuName":"Standard_ND96isr_H100_v5","unitOfMeasure":"1 Hour","type":"Consumption","effectiveStartDate":"2026-01-01T00:00:00Z"},
       {"currencyCode":"USD","retailPrice":120.00,"armRegionName":"eastus","meterName":"ND96isr H100 v5","productName":"Virtual Machines NDsr H100 v5 Series","armSkuName":"Standard_ND96isr_H100_v5","unitOfMeasure":"1 Hour","type":"Consumption","effectiveStartDate":"2024-01-01T00:00:00Z"},
       {"currencyCode":"USD","retailPrice":140.00,"armRegionName":"eastus","meterName":"ND96isr H100 v5","productName":"Virtual Machines NDsr H100 v5 Series Windows","armSkuName":"Standard_ND96isr_H100_v5","unitOfMeasure":"1 Hour","type":"Consumption","effectiveStartDate":"2026-02-01T00:00:00Z"},
       {"currencyCode":"USD","retailPrice":19.20,"armRegionName":"eastus","meterName":"ND96isr H100 v5 Low Priority","productName":"Virtual Machines NDsr H100 v5 Series","armSkuName":"Standard_ND96isr_H100_v5","unitOfMeasure":"1 Hour","type":"Consumption","effectiveStartDate":"2026-02-01T00:00:00Z"},
       {"currencyCode":"USD","retailPrice":24.00,"armRegionName":"eastus","meterName":"ND96isr H100 v5 Spot","productName":"Virtual Machines NDsr H100 v5 Series","armSkuName":"Standard_ND96isr_H100_v5","unitOfMeasure":"1 Hour","type":"Consumption","effectiveStartDate":"2026-01-01T00:00:00Z"}],
       "NextPageLink":null,"Count":5}
      """;

  @Override
  protected CapacityProvider provider() {
    return new AzureProvider();
  }

  @Override
  protected AccountSettings account(URI stub) {
    return new AccountSettings(
        "prod",
        Optional.of(SUBSCRIPTION),
        List.of("eastus"),
        Duration.ofMinutes(1),
        BigDecimal.ONE,
        Optional.of(stub),
        Map.of(
            "tenant-id", "0b000000-0000-0000-0000-000000000002",
            "client-id", "0c000000-0000-0000-0000-000000000003",
            "client-secret", "s3cr3t~of~the~principal"));
  }

  @Override
  protected Set<String> publicCredentials() {
    return Set.of("tenant-id", "client-id");
  }

  @Override
  protected List<String> requiredCredentials() {
    return List.of("tenant-id", "client-id", "client-secret");
  }

  @Override
  protected Set<String> interest() {
    return Set.of("Standard_ND96isr_H100_v5");
  }

  @Override
  protected List<RequestPatternBuilder> reads() {
    return List.of(
        postRequestedFor(urlPathMatching("/0b000000[^/]*/oauth2/v2.0/token")),
        getRequestedFor(urlPathMatching(COMPUTE + "(skus|locations/[a-z0-9]+/usages)"))
            .withHeader("Authorization", matching("Bearer t-.*")),
        postRequestedFor(
            urlPathMatching(COMPUTE + "locations/[a-z0-9]+/placementScores/spot/generate")),
        getRequestedFor(urlPathEqualTo(COMPUTE + "capacityReservationGroups")),
        getRequestedFor(urlPathMatching(GROUP + "/capacityReservations/.*")),
        getRequestedFor(urlPathEqualTo("/api/retail/prices"))
            .withHeader("Authorization", absent()));
  }

  @Override
  protected void always(WireMockServer stub) {
    stub.stubFor(
        post(urlPathMatching(".*/oauth2/v2.0/token"))
            .atPriority(1)
            .willReturn(
                okJson(
                    "{\"token_type\":\"Bearer\",\"expires_in\":3599,\"ext_expires_in\":3599,"
                        + "\"access_token\":\"t-1\"}")));
  }

  @Override
  protected void happy(WireMockServer stub) {
    stub.stubFor(skus().willReturn(okJson("{\"value\":[" + H100 + "," + A100 + "]}")));
    rest(stub);
  }

  private static com.github.tomakehurst.wiremock.client.MappingBuilder skus() {
    return get(urlPathEqualTo(COMPUTE + "skus"))
        .withQueryParam("$filter", equalTo("location eq 'eastus'"));
  }

  private static void rest(WireMockServer stub) {
    stub.stubFor(
        get(urlPathEqualTo(COMPUTE + "locations/eastus/usages")).willReturn(okJson(USAGES)));
    stub.stubFor(
        post(urlPathEqualTo(COMPUTE + "locations/eastus/placementScores/spot/generate"))
            .withRequestBody(containing("\"availabilityZones\":true"))
            .willReturn(okJson(SCORES)));
    stub.stubFor(
        get(urlPathEqualTo("/api/retail/prices"))
            .withQueryParam("$filter", containing("armSkuName eq 'Standard_ND96asr_v4'"))
            .willReturn(okJson(PRICES)));
    stub.stubFor(
        get(urlPathEqualTo(COMPUTE + "capacityReservationGroups"))
            .willReturn(
                okJson(
                    "{\"value\":[{\"id\":\"%s\",\"location\":\"eastus\",\"properties\":{\"capacityReservations\":[{\"id\":\"%s/capacityReservations/r1\"}]}}]}"
                        .formatted(GROUP, GROUP))));
    stub.stubFor(
        get(urlPathEqualTo(GROUP + "/capacityReservations/r1"))
            .withQueryParam("$expand", equalTo("instanceView"))
            .willReturn(
                okJson(
                    """
                    {"location":"eastus","zones":["3"],"sku":{"name":"Standard_ND96isr_H100_v5","capacity":2},
                     "properties":{"instanceView":{"utilizationInfo":{"currentCapacity":2,"virtualMachinesAllocated":[{"id":"x"}]}}}}
                    """)));
  }

  @Override
  protected String happyMarket() {
    return """
        eastus/eastus-1/Standard_ND96isr_H100_v5/on-demand 8x nvidia-h100-80gb 12.2900 UNAVAILABLE OFFERED
        eastus/eastus-1/Standard_ND96isr_H100_v5/spot 8x nvidia-h100-80gb 3.0000 UNAVAILABLE OFFERED
        eastus/eastus-3/Standard_ND96isr_H100_v5/on-demand 8x nvidia-h100-80gb 12.2900 UNKNOWN LISTED
        eastus/eastus-3/Standard_ND96isr_H100_v5/spot 8x nvidia-h100-80gb 3.0000 AVAILABLE OFFERED
        eastus/eastus/Standard_ND96asr_v4/on-demand 8x nvidia-a100-40gb 3.3996 UNAVAILABLE FALLBACK
        eastus/eastus/Standard_ND96asr_v4/spot 8x nvidia-a100-40gb - UNKNOWN LISTED
        eastus/eastus-3/Standard_ND96isr_H100_v5/reserved/GROUP 8x nvidia-h100-80gb - AVAILABLE OFFERED
        """
        .replace("GROUP", GROUP);
  }

  @Override
  protected void empty(WireMockServer stub) {
    stub.stubFor(get(urlPathMatching("/.*")).atPriority(9).willReturn(okJson("{\"value\":[]}")));
  }

  @Override
  protected boolean paged(WireMockServer stub) {
    rest(stub);
    stub.stubFor(
        skus()
            .withQueryParam("$skiptoken", absent())
            .willReturn(
                okJson(
                    "{\"value\":[%s],\"nextLink\":\"https://management.azure.com%sskus?api-version=2021-07-01&$filter=location+eq+'eastus'&$skiptoken=p2\"}"
                        .formatted(H100, COMPUTE))));
    stub.stubFor(
        skus()
            .withQueryParam("$skiptoken", equalTo("p2"))
            .willReturn(okJson("{\"value\":[" + A100 + "]}")));
    return true;
  }

  @Override
  protected boolean endless(WireMockServer stub) {
    stub.stubFor(
        skus()
            .willReturn(
                okJson(
                    "{\"value\":[],\"nextLink\":\"https://management.azure.com%sskus?api-version=2021-07-01&$filter=location%%20eq%%20'eastus'\"}"
                        .formatted(COMPUTE))));
    return true;
  }

  /** The prices and the reservations cannot be read: what is sold and free is still known. */
  @Override
  protected void partial(WireMockServer stub) {
    happy(stub);
    stub.stubFor(
        get(urlPathEqualTo(COMPUTE + "capacityReservationGroups"))
            .atPriority(2)
            .willReturn(aResponse().withStatus(503)));
  }

  @Override
  protected String partialMarket() {
    return happyMarket()
        .lines()
        .filter(line -> !line.contains("/reserved/"))
        .reduce("", (a, b) -> a + "\n" + b);
  }

  @Override
  protected String partialWarning() {
    return "capacity reservations";
  }

  @Test
  void without_the_role_for_scores_everything_else_stands() throws Exception {
    happy(stub());
    stub()
        .stubFor(
            post(urlPathMatching(".*/placementScores/.*"))
                .atPriority(2)
                .willReturn(
                    aResponse()
                        .withStatus(403)
                        .withBody("{\"error\":{\"code\":\"AuthorizationFailed\"}}")));

    var result = observe();

    assertThat(result.warnings()).anyMatch(warning -> warning.startsWith("spot placement scores"));
    assertThat(MarketText.of(result.observations()))
        .contains(
            "eastus/eastus-3/Standard_ND96isr_H100_v5/spot 8x nvidia-h100-80gb 3.0000 UNKNOWN"
                + " LISTED");
  }

  @Test
  void prices_that_cannot_be_read_are_the_shipped_ones_and_spot_has_none() throws Exception {
    happy(stub());
    stub()
        .stubFor(
            get(urlPathEqualTo("/api/retail/prices"))
                .atPriority(2)
                .willReturn(aResponse().withStatus(429).withHeader("Retry-After", "3")));

    var result = observe();

    assertThat(result.warnings()).anyMatch(warning -> warning.startsWith("eastus prices"));
    assertThat(result.observations())
        .filteredOn(seen -> seen.price().isPresent())
        .allMatch(seen -> seen.trust() == Trust.FALLBACK)
        .allMatch(seen -> seen.key().capacityType().text().equals("on-demand"));
  }

  @Test
  void a_principal_that_azure_does_not_know_is_a_matter_of_credentials() {
    stub()
        .stubFor(
            post(urlPathMatching(".*/oauth2/v2.0/token"))
                .atPriority(1)
                .willReturn(
                    aResponse()
                        .withStatus(401)
                        .withHeader("Content-Type", "application/json")
                        .withBody(
                            "{\"error\":\"invalid_client\",\"error_description\":\"AADSTS7000215: no s3cr3t~of~the~principal\"}")));

    assertThat(failure().failureClass()).isEqualTo(FailureClass.AUTH);
  }
}
