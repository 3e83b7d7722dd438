package io.spillway.capacity.aws;

import static com.github.tomakehurst.wiremock.client.WireMock.aResponse;
import static com.github.tomakehurst.wiremock.client.WireMock.any;
import static com.github.tomakehurst.wiremock.client.WireMock.anyUrl;
import static com.github.tomakehurst.wiremock.client.WireMock.equalTo;
import static com.github.tomakehurst.wiremock.client.WireMock.matching;
import static com.github.tomakehurst.wiremock.client.WireMock.postRequestedFor;
import static com.github.tomakehurst.wiremock.client.WireMock.urlPathEqualTo;
import static io.spillway.capacity.aws.Ec2Answers.call;
import static io.spillway.capacity.aws.Ec2Answers.error;
import static io.spillway.capacity.aws.Ec2Answers.next;
import static io.spillway.capacity.aws.Ec2Answers.page;
import static io.spillway.capacity.aws.Ec2Answers.prices;
import static io.spillway.capacity.aws.Ec2Answers.set;
import static io.spillway.capacity.aws.Ec2Answers.xml;
import static org.assertj.core.api.Assertions.assertThat;

import com.github.tomakehurst.wiremock.WireMockServer;
import com.github.tomakehurst.wiremock.matching.RequestPatternBuilder;
import com.github.tomakehurst.wiremock.verification.LoggedRequest;
import io.spillway.capacity.spi.AccountSettings;
import io.spillway.capacity.spi.CapacityProbe;
import io.spillway.capacity.spi.CapacityProbe.Result;
import io.spillway.capacity.spi.CapacityProvider;
import io.spillway.capacity.spi.ProbeException;
import io.spillway.capacity.testkit.MarketText;
import io.spillway.capacity.testkit.ProbeContract;
import io.spillway.capacity.testkit.StubCloud;
import io.spillway.scheduler.market.Observation;
import io.spillway.scheduler.model.CapacityType;
import io.spillway.scheduler.model.FailureClass;
import io.spillway.scheduler.model.Trust;
import java.math.BigDecimal;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class AwsProbeTest extends ProbeContract {
  private static final String P5 = Ec2Market.P5;
  private static final String HERE = Ec2Market.HERE;
  private static final String THERE = Ec2Market.THERE;

  private final AwsProvider provider = new AwsProvider();

  @Override
  protected CapacityProvider provider() {
    return provider;
  }

  @Override
  protected AccountSettings account(URI stub) {
    return account(
        stub,
        Map.of(
            "access-key-id", "AKIDMADEUP0001", "secret-access-key", "made-up-secret-0123456789"));
  }

  private static AccountSettings account(URI stub, Map<String, String> credentials) {
    return new AccountSettings(
        "prod",
        Optional.of("210987654321"),
        List.of(HERE, THERE),
        Duration.ofMinutes(1),
        BigDecimal.ONE,
        Optional.of(stub),
        credentials);
  }

  @Override
  protected List<String> requiredCredentials() {
    return List.of("access-key-id", "secret-access-key");
  }

  @Override
  protected Set<String> interest() {
    return Set.of(P5, "BM.GPU.H100.8");
  }

  @Override
  protected List<RequestPatternBuilder> reads() {
    return List.of(
        postRequestedFor(urlPathEqualTo("/")).withRequestBody(matching("Action=Describe.*")),
        postRequestedFor(urlPathEqualTo("/"))
            .withHeader("X-Amz-Target", equalTo("AWSPriceListService.GetProducts")));
  }

  @Override
  protected void happy(WireMockServer stub) {
    Ec2Market.happy(stub);
  }

  @Override
  protected void empty(WireMockServer stub) {
    Ec2Market.empty(stub);
  }

  @Override
  protected String happyMarket() {
    return Ec2Market.HERE_MARKET
        + """
        us-west-2/usw2-az2/p5.48xlarge/spot 8x nvidia-h100-80gb 3.0000 UNKNOWN LISTED
        us-west-2/usw2-az2/p5.48xlarge/on-demand 8x nvidia-h100-80gb 8.0000 UNKNOWN LISTED
        """;
  }

  @Override
  protected boolean paged(WireMockServer stub) {
    happy(stub);
    stub.stubFor(
        call("DescribeSpotPriceHistory", HERE)
            .atPriority(2)
            .willReturn(
                xml(
                    "DescribeSpotPriceHistory",
                    set("spotPriceHistorySet", Ec2Market.FIRST_SPOT) + next("two"))));
    stub.stubFor(
        page("DescribeSpotPriceHistory", "two")
            .atPriority(1)
            .willReturn(
                xml(
                    "DescribeSpotPriceHistory",
                    set("spotPriceHistorySet", Ec2Market.SECOND_SPOT) + next(""))));
    return true;
  }

  @Override
  protected boolean endless(WireMockServer stub) {
    empty(stub);
    for (String operation :
        List.of(
            "DescribeInstanceTypes", "DescribeInstanceTypeOfferings", "DescribeSpotPriceHistory")) {
      stub.stubFor(call(operation).willReturn(xml(operation, next("again"))));
    }
    return true;
  }

  @Override
  protected void partial(WireMockServer stub) {
    happy(stub);
    stub.stubFor(
        any(anyUrl())
            .withHeader("Authorization", matching(".*/" + THERE + "/ec2/.*"))
            .atPriority(1)
            .willReturn(error(503, "Unavailable", "The server is overloaded")));
  }

  @Override
  protected String partialMarket() {
    return Ec2Market.HERE_MARKET;
  }

  @Override
  protected String partialWarning() {
    return "us-west-2: Describe";
  }

  /** The region stands in the signature's scope. */
  @Override
  protected String place(LoggedRequest call) {
    return call.getHeader("Authorization").replaceFirst(".*Credential=[^/]+/([^,]+),.*", "$1 ");
  }

  @Override
  protected void throttled(WireMockServer stub) {
    stub.stubFor(
        any(anyUrl())
            .willReturn(
                error(503, "RequestLimitExceeded", "Request limit exceeded.")
                    .withHeader("Retry-After", "7")));
  }

  @Override
  protected void refused(WireMockServer stub, int status) {
    String echo = String.join(" ", account(URI.create("http://localhost")).credentials().values());
    stub.stubFor(
        any(anyUrl())
            .willReturn(
                error(
                    status,
                    status == 401 ? "AuthFailure" : "SignatureDoesNotMatch",
                    "The canonical string should have been " + echo)));
  }

  @Override
  protected void broken(WireMockServer stub, String words) {
    String code = words.contains("capacity") ? "InsufficientInstanceCapacity" : "InternalError";
    stub.stubFor(any(anyUrl()).willReturn(error(500, code, words)));
  }

  @Test
  void a_permission_that_is_missing_costs_that_part_and_shipped_prices_are_named()
      throws Exception {
    happy(stub());
    stub()
        .stubFor(
            call("DescribeCapacityReservations")
                .atPriority(1)
                .willReturn(error(403, "UnauthorizedOperation", "You are not authorized")));
    stub()
        .stubFor(
            prices()
                .atPriority(1)
                .willReturn(
                    aResponse()
                        .withStatus(400)
                        .withBody("{\"__type\":\"com.amazon.coral#AccessDeniedException\"}")));

    Result result = observe();

    assertThat(result.observations())
        .filteredOn(seen -> seen.key().capacityType() == CapacityType.ON_DEMAND)
        .isNotEmpty()
        .allSatisfy(seen -> assertThat(seen.trust()).isEqualTo(Trust.FALLBACK))
        .allSatisfy(seen -> assertThat(seen.source()).contains("catalogue of 2026-11-30"));
    assertThat(result.observations())
        .filteredOn(seen -> seen.key().capacityType() == CapacityType.SPOT)
        .isNotEmpty()
        .allSatisfy(seen -> assertThat(seen.onDemandPrice()).isEmpty());
    assertThat(String.join("\n", result.warnings()))
        .contains("us-east-2: DescribeCapacityReservations: UnauthorizedOperation, HTTP 403")
        .contains("list prices: GetProducts: AccessDeniedException, HTTP 400");
  }

  @Test
  void a_round_a_minute_after_another_finds_the_clocks_together() throws Exception {
    happy(stub());
    try (CapacityProbe probe = provider.probe(account(StubCloud.uri()))) {
      result(probe, NOW);
      StubCloud.clock(NOW.plusSeconds(60));

      assertThat(result(probe, NOW.plusSeconds(60)).warnings()).isEmpty();
    }
  }

  @Test
  void what_was_throttled_is_left_alone_as_long_as_the_provider_said() throws Exception {
    throttled(stub());
    try (CapacityProbe probe = provider.probe(account(URI.create(stub().baseUrl())))) {
      assertThat(classOf(probe, NOW)).isEqualTo(FailureClass.THROTTLED);
      int calls = stub().getAllServeEvents().size();
      assertThat(classOf(probe, NOW.plusSeconds(6))).isEqualTo(FailureClass.THROTTLED);
      assertThat(stub().getAllServeEvents()).hasSize(calls);

      happy(stub());
      stub().resetRequests();
      stub().resetMappings();
      happy(stub());
      Result again = result(probe, NOW.plusSeconds(8));
      assertThat(again.observations()).isNotEmpty();
    }
  }

  @Test
  void a_run_of_every_minute_asks_two_calls_of_a_region() throws Exception {
    happy(stub());
    try (CapacityProbe probe = provider.probe(account(URI.create(stub().baseUrl())))) {
      result(probe, NOW);
      stub().resetRequests();

      Result second = result(probe, NOW.plusSeconds(60));

      assertThat(stub().getAllServeEvents()).hasSize(4);
      assertThat(MarketText.of(second.observations())).isEqualTo(MarketText.lines(happyMarket()));
    }
  }

  @Test
  void the_end_of_a_reservation_is_told_with_it() throws Exception {
    happy(stub());

    assertThat(observe().observations())
        .filteredOn(seen -> seen.key().reservation().equals(Optional.of("cr-4")))
        .extracting(Observation::source)
        .containsExactly("CapacityReservations, active, 1 of 1 free, ends 2026-12-04T11:30:00Z");
  }

  @Test
  void a_role_is_assumed_with_the_key_and_its_own_key_signs() throws Exception {
    happy(stub());
    stub()
        .stubFor(
            call("AssumeRole")
                .willReturn(
                    aResponse()
                        .withBody(
                            "<AssumeRoleResponse xmlns=\"https://sts.amazonaws.com/doc/2011-06-15/\"><AssumeRoleResult><Credentials><AccessKeyId>ASIAROLE</AccessKeyId><SecretAccessKey>of-the-role</SecretAccessKey><SessionToken>token-of-the-role</SessionToken><Expiration>2099-01-01T00:00:00Z</Expiration></Credentials></AssumeRoleResult></AssumeRoleResponse>")));
    URI uri = URI.create(stub().baseUrl());
    try (CapacityProbe probe =
        provider.probe(
            account(
                uri,
                Map.of(
                    "access-key-id", "AKIDMADEUP0001",
                    "secret-access-key", "made-up-secret-0123456789",
                    "role-arn", "arn:aws:iam::210987654321:role/spillway")))) {
      assertThat(result(probe, NOW).observations()).isNotEmpty();
    }
    assertThat(
            stub()
                .findAll(
                    postRequestedFor(urlPathEqualTo("/"))
                        .withRequestBody(matching("Action=DescribeSpot.*"))
                        .withHeader("Authorization", matching(".*Credential=ASIAROLE/.*"))
                        .withHeader("X-Amz-Security-Token", equalTo("token-of-the-role"))))
        .hasSize(2);
    stub().resetRequests();
  }

  private static FailureClass classOf(CapacityProbe probe, Instant now) throws Exception {
    Throwable failure =
        probe
            .observe(Set.of(P5), now)
            .handle((result, thrown) -> thrown)
            .toCompletableFuture()
            .get(20, TimeUnit.SECONDS);
    assertThat(failure).isInstanceOf(ProbeException.class);
    return ((ProbeException) failure).failureClass();
  }

  private static Result result(CapacityProbe probe, Instant now) throws Exception {
    return probe.observe(Set.of(P5), now).toCompletableFuture().get(20, TimeUnit.SECONDS);
  }
}
