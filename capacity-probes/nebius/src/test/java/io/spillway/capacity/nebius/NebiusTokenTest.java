package io.spillway.capacity.nebius;

import static com.github.tomakehurst.wiremock.client.WireMock.equalTo;
import static com.github.tomakehurst.wiremock.client.WireMock.matching;
import static com.github.tomakehurst.wiremock.client.WireMock.okJson;
import static com.github.tomakehurst.wiremock.client.WireMock.post;
import static com.github.tomakehurst.wiremock.client.WireMock.postRequestedFor;
import static com.github.tomakehurst.wiremock.client.WireMock.urlEqualTo;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.github.tomakehurst.wiremock.WireMockServer;
import com.github.tomakehurst.wiremock.stubbing.Scenario;
import io.spillway.capacity.spi.CapacityProbe;
import io.spillway.capacity.spi.CapacityProbe.Result;
import io.spillway.capacity.testkit.StubCloud;
import java.nio.charset.StandardCharsets;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.Signature;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class NebiusTokenTest {
  private static final Instant NOW = Instant.parse("2026-11-30T12:00:00Z");
  private static final String EXCHANGE = "/nebius.iam.v1.TokenExchangeService/Exchange";

  private static KeyPair keys;

  private WireMockServer stub;
  private CapacityProbe probe;

  @BeforeAll
  static void a_key() throws Exception {
    KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
    generator.initialize(2_048);
    keys = generator.generateKeyPair();
  }

  @BeforeEach
  void a_service_account() {
    stub = StubCloud.fresh(NOW);
    NebiusProbeTest.items(stub, NebiusProbeTest.BLOCKS, "");
    NebiusProbeTest.items(
        stub,
        NebiusProbeTest.ADVICE,
        NebiusProbeTest.advice(
            "eu-north1",
            "f",
            "gpu-h100-sxm",
            NebiusProbeTest.fresh(1, 1),
            NebiusProbeTest.fresh(1, 1)));
    NebiusProbeTest.prices(stub);
    tokens("first", "second");
    String pem =
        "-----BEGIN PRIVATE KEY-----\n"
            + Base64.getMimeEncoder().encodeToString(keys.getPrivate().getEncoded())
            + "\n-----END PRIVATE KEY-----\n";
    probe =
        new NebiusProvider()
            .probe(
                NebiusProbeTest.account(
                    Map.of(
                        "tenant-id", "tenant-x",
                        "service-account-id", "serviceaccount-1",
                        "public-key-id", "publickey-1",
                        "private-key", pem)));
  }

  @AfterEach
  void closed() {
    probe.close();
  }

  @Test
  void a_signed_statement_is_exchanged_for_the_token_that_calls_carry() throws Exception {
    observe(NOW);

    JsonNode request =
        JsonMapper.builder()
            .build()
            .readTree(
                stub.findAll(postRequestedFor(urlEqualTo(EXCHANGE))).getFirst().getBodyAsString());
    String[] statement = request.path("subject_token").asText().split("\\.", -1);
    assertThat(text(statement[0])).contains("RS256").contains("publickey-1");
    assertThat(text(statement[1]))
        .contains("\"iss\":\"serviceaccount-1\"")
        .contains("\"sub\":\"serviceaccount-1\"")
        .contains("\"exp\":");
    Signature signature = Signature.getInstance("SHA256withRSA");
    signature.initVerify(keys.getPublic());
    signature.update((statement[0] + '.' + statement[1]).getBytes(StandardCharsets.UTF_8));
    assertThat(signature.verify(Base64.getUrlDecoder().decode(statement[2]))).isTrue();
    stub.verify(
        postRequestedFor(urlEqualTo(NebiusProbeTest.ADVICE))
            .withHeader("Authorization", equalTo("Bearer first")));
  }

  @Test
  void the_token_is_kept_for_the_most_of_its_life() throws Exception {
    observe(NOW);
    observe(NOW.plus(Duration.ofMinutes(575)));
    stub.verify(1, postRequestedFor(urlEqualTo(EXCHANGE)));

    observe(NOW.plus(Duration.ofMinutes(577)));
    stub.verify(2, postRequestedFor(urlEqualTo(EXCHANGE)));
  }

  @Test
  void a_token_that_is_refused_is_renewed_once() throws Exception {
    stub.stubFor(
        post(NebiusProbeTest.ADVICE)
            .atPriority(1)
            .withHeader("Authorization", equalTo("Bearer first"))
            .willReturn(NebiusProbeTest.error(401, "the token is revoked", "")));

    Result result = observe(NOW);

    assertThat(result.observations()).hasSize(2);
    stub.verify(
        postRequestedFor(urlEqualTo(NebiusProbeTest.ADVICE))
            .withHeader("Authorization", matching("Bearer second")));
  }

  private Result observe(Instant now) throws Exception {
    return probe.observe(Set.of(), now).toCompletableFuture().get(20, TimeUnit.SECONDS);
  }

  private void tokens(String... tokens) {
    String state = Scenario.STARTED;
    for (String token : tokens) {
      stub.stubFor(
          post(EXCHANGE)
              .inScenario("exchange")
              .whenScenarioStateIs(state)
              .willSetStateTo(token)
              .willReturn(
                  okJson(
                      "{\"access_token\":\"%s\",\"token_type\":\"Bearer\",\"expires_in\":\"43200\"}"
                          .formatted(token))));
      state = token;
    }
  }

  private static String text(String base64) {
    return new String(Base64.getUrlDecoder().decode(base64), StandardCharsets.UTF_8);
  }
}
