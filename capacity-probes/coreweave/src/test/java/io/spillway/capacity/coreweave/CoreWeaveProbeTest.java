package io.spillway.capacity.coreweave;

import static com.github.tomakehurst.wiremock.client.WireMock.absent;
import static com.github.tomakehurst.wiremock.client.WireMock.equalTo;
import static com.github.tomakehurst.wiremock.client.WireMock.get;
import static com.github.tomakehurst.wiremock.client.WireMock.getRequestedFor;
import static com.github.tomakehurst.wiremock.client.WireMock.jsonResponse;
import static com.github.tomakehurst.wiremock.client.WireMock.okJson;
import static com.github.tomakehurst.wiremock.client.WireMock.urlPathEqualTo;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

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

class CoreWeaveProbeTest extends ProbeContract {
  private static final String TOKEN = "CWMADEUP0123456789";
  private static final String POOLS = "/apis/compute.coreweave.com/v1alpha1/nodepools";
  private static final String NODES = "/api/v1/nodes";
  private static final String PODS = "/api/v1/pods";

  private static final String SPOT_POOL =
      pool("h100-spot", "Spot", "gd-8xh100ib-i128", true, 2, condition("Capacity", "Sufficient"));
  private static final String FULL_POOL =
      pool("h100", "default", "gd-8xh100ib-i128", true, 1, condition("Capacity", "None"));
  private static final String OWN_POOL =
      pool("h200-own", "default", "gd-8xh200ib-i128", false, 2, condition("Quota", "Under"));
  private static final String NO_QUOTA_POOL =
      pool("b200", "default", "b200-8x", true, 0, condition("Quota", "NotSet"));

  private static final String ALL_NODES =
      String.join(
          ",",
          node("n1", "h100", "production", false),
          node("n2", "h200-own", "production", true),
          node("n3", "h200-own", "triage", true));

  private static final String BUSY = pod("train-0", "n1", 8);

  @Override
  protected CapacityProvider provider() {
    return new CoreWeaveProvider();
  }

  @Override
  protected AccountSettings account(URI stub) {
    return new AccountSettings(
        "cks",
        Optional.empty(),
        List.of("US-EAST-04"),
        Duration.ofMinutes(1),
        BigDecimal.ONE,
        Optional.of(stub),
        Map.of("token", TOKEN, "zone", "US-EAST-04A"));
  }

  @Override
  protected List<String> requiredCredentials() {
    return List.of("token");
  }

  @Override
  protected Set<String> publicCredentials() {
    return Set.of("zone");
  }

  @Override
  protected Set<String> interest() {
    return Set.of("gd-8xh100ib-i128");
  }

  @Override
  protected List<RequestPatternBuilder> reads() {
    return List.of(
        list(POOLS),
        list(NODES).withQueryParam("labelSelector", equalTo("compute.coreweave.com/node-pool")),
        list(PODS)
            .withQueryParam(
                "fieldSelector",
                equalTo("spec.nodeName!=,status.phase!=Succeeded,status.phase!=Failed")));
  }

  private static RequestPatternBuilder list(String path) {
    return getRequestedFor(urlPathEqualTo(path))
        .withHeader("Authorization", equalTo("Bearer " + TOKEN))
        .withQueryParam("limit", equalTo("250"));
  }

  @Override
  protected void happy(WireMockServer stub) {
    items(stub, POOLS, String.join(",", SPOT_POOL, FULL_POOL, OWN_POOL, NO_QUOTA_POOL));
    items(stub, NODES, ALL_NODES);
    items(stub, PODS, BUSY);
  }

  @Override
  protected String happyMarket() {
    return """
        US-EAST-04/US-EAST-04A/gd-8xh100ib-i128/spot      8x nvidia-h100-80gb  -      AVAILABLE   OFFERED
        US-EAST-04/US-EAST-04A/gd-8xh100ib-i128/on-demand 8x nvidia-h100-80gb  6.1550 UNAVAILABLE FALLBACK
        US-EAST-04/US-EAST-04A/gd-8xh200ib-i128/reserved/h200-own 8x nvidia-h200-141gb - AVAILABLE OFFERED
        US-EAST-04/US-EAST-04A/b200-8x/on-demand          8x nvidia-b200-180gb 8.6000 UNAVAILABLE FALLBACK
        """;
  }

  @Override
  protected void empty(WireMockServer stub) {
    items(stub, POOLS, "");
    items(stub, NODES, "");
  }

  @Override
  protected boolean paged(WireMockServer stub) {
    happy(stub);
    page(stub, null, "two", String.join(",", SPOT_POOL, FULL_POOL));
    page(stub, "two", "three", OWN_POOL);
    page(stub, "three", "", NO_QUOTA_POOL);
    return true;
  }

  @Override
  protected boolean endless(WireMockServer stub) {
    happy(stub);
    page(stub, null, "two", SPOT_POOL);
    page(stub, "two", "two", FULL_POOL);
    return true;
  }

  @Override
  protected void partial(WireMockServer stub) {
    happy(stub);
    stub.stubFor(get(urlPathEqualTo(NODES)).willReturn(status(403, "Forbidden")));
  }

  /** Without its nodes nobody knows whether a default pool is bought on demand or reserved. */
  @Override
  protected String partialMarket() {
    return """
        US-EAST-04/US-EAST-04A/gd-8xh100ib-i128/spot 8x nvidia-h100-80gb - AVAILABLE OFFERED
        """;
  }

  @Override
  protected String partialWarning() {
    return "nodes: GET /api/v1/nodes: status 403";
  }

  @ParameterizedTest(name = "{0} of 8 GPUs held on a {1} node: {2}")
  @CsvSource({
    "0, production, AVAILABLE",
    "1, production, UNKNOWN",
    "8, production, UNAVAILABLE",
    "0, triage, UNAVAILABLE"
  })
  void a_pool_that_cannot_grow_has_what_is_idle(int held, String state, String expected)
      throws Exception {
    items(stub(), POOLS, FULL_POOL);
    items(stub(), NODES, node("n1", "h100", state, false));
    items(stub(), PODS, pod("train-0", "n1", held) + ',' + pod("web-0", "n1", 0));

    assertThat(MarketText.of(observe().observations()))
        .singleElement()
        .asString()
        .contains("8x nvidia-h100-80gb 6.1550 " + expected);
  }

  @Test
  void pods_are_asked_only_when_they_can_change_the_answer() throws Exception {
    items(stub(), POOLS, SPOT_POOL + ',' + NO_QUOTA_POOL);
    items(stub(), NODES, node("n1", "h100-spot", "production", false));

    observe();

    stub().verify(0, getRequestedFor(urlPathEqualTo(PODS)));
  }

  @Test
  void nodes_on_their_way_are_neither_there_nor_gone() throws Exception {
    items(
        stub(),
        POOLS,
        pool("h100", "default", "gd-8xh100ib-i128", false, 0, condition("Capacity", "Sufficient"))
            .replace("\"targetNodes\": 0", "\"targetNodes\": 4"));
    items(stub(), NODES, "");

    assertThat(MarketText.of(observe().observations()))
        .singleElement()
        .asString()
        .contains("UNKNOWN");
  }

  @Test
  void of_two_pools_of_a_kind_the_better_counts() throws Exception {
    items(stub(), POOLS, FULL_POOL + ',' + SPOT_POOL.replace("Spot", "default"));
    items(stub(), NODES, "");

    assertThat(MarketText.of(observe().observations()))
        .singleElement()
        .asString()
        .contains("on-demand", "AVAILABLE FALLBACK");
  }

  @Test
  void a_type_that_nobody_knows_is_told_and_left_out() throws Exception {
    items(stub(), POOLS, SPOT_POOL + ',' + SPOT_POOL.replace("gd-8xh100ib-i128", "gd-8xz900"));
    items(stub(), NODES, "");

    var result = observe();

    assertThat(result.observations()).hasSize(1);
    assertThat(result.warnings()).anyMatch(warning -> warning.contains("gd-8xz900"));
  }

  @Test
  void a_cluster_needs_an_address_and_one_region() {
    AccountSettings here = account(URI.create("https://cluster.example"));

    assertThatThrownBy(() -> provider().probe(settings(here, List.of("A", "B"), here.endpoint())))
        .hasMessageContaining("regions");
    assertThatThrownBy(() -> provider().probe(settings(here, here.regions(), Optional.empty())))
        .hasMessageContaining("endpoint");
  }

  @ParameterizedTest(name = "{0} {1}")
  @CsvSource({
    "400, BadRequest, INVALID",
    "401, Unauthorized, AUTH",
    "403, Forbidden, AUTH",
    "404, NotFound, INVALID",
    "409, Conflict, TRANSIENT",
    "422, Invalid, INVALID",
    "429, TooManyRequests, THROTTLED",
    "500, InternalError, TRANSIENT",
    "503, ServiceUnavailable, TRANSIENT"
  })
  void each_documented_error_of_a_call(int status, String reason, FailureClass expected) {
    happy(stub());
    stub().stubFor(get(urlPathEqualTo(POOLS)).willReturn(status(status, reason)));

    assertThat(failure().failureClass()).isEqualTo(expected);
  }

  private static AccountSettings settings(
      AccountSettings like, List<String> regions, Optional<URI> endpoint) {
    return new AccountSettings(
        like.name(),
        like.accountId(),
        regions,
        like.interval(),
        like.discount(),
        endpoint,
        like.credentials());
  }

  private static com.github.tomakehurst.wiremock.client.ResponseDefinitionBuilder status(
      int status, String reason) {
    return jsonResponse(
        "{\"kind\":\"Status\",\"status\":\"Failure\",\"reason\":\"%s\",\"code\":%d}"
            .formatted(reason, status),
        status);
  }

  private static void items(WireMockServer stub, String path, String items) {
    stub.stubFor(
        get(urlPathEqualTo(path))
            .willReturn(okJson("{\"kind\":\"List\",\"metadata\":{},\"items\":[" + items + "]}")));
  }

  private static void page(WireMockServer stub, String asked, String next, String items) {
    stub.stubFor(
        get(urlPathEqualTo(POOLS))
            .withQueryParam("continue", asked == null ? absent() : equalTo(asked))
            .willReturn(
                okJson(
                    "{\"metadata\":{\"continue\":\"%s\"},\"items\":[%s]}".formatted(next, items))));
  }

  private static String pool(
      String name, String type, String instanceType, boolean scales, int nodes, String condition) {
    return """
        {"apiVersion": "compute.coreweave.com/v1alpha1", "kind": "NodePool",
         "metadata": {"name": "%s"},
         "spec": {"computeClass": "%s", "instanceType": "%s", "targetNodes": %d,
                  "autoscaling": %s, "minNodes": 0, "maxNodes": 8},
         "status": {"currentNodes": %d, "conditions": [
           {"type": "Valid", "status": "True", "reason": "Valid"}, %s]}}
        """
        .formatted(name, type, instanceType, nodes, scales, nodes, condition);
  }

  private static String condition(String type, String reason) {
    return "{\"type\": \"%s\", \"status\": \"False\", \"reason\": \"%s\"}".formatted(type, reason);
  }

  private static String node(String name, String pool, String state, boolean reserved) {
    return """
        {"metadata": {"name": "%s", "labels": {"compute.coreweave.com/node-pool": "%s",
           "node.coreweave.cloud/state": "%s", "node.coreweave.cloud/reserved": "%s"}},
         "spec": {}, "status": {"allocatable": {"cpu": "127", "nvidia.com/gpu": "8", "rdma/ib": "1"}}}
        """
        .formatted(name, pool, state, reserved);
  }

  private static String pod(String name, String node, int gpus) {
    return """
        {"metadata": {"name": "%s"}, "spec": {"nodeName": "%s", "containers": [
          {"name": "a", "resources": {"requests": {"cpu": "2", "nvidia.com/gpu": "%d"}}},
          {"name": "b", "resources": {}}]}}
        """
        .formatted(name, node, gpus);
  }
}
