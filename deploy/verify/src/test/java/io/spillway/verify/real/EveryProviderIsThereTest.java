package io.spillway.verify.real;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.spillway.standalone.Installation;
import io.spillway.standalone.StandaloneWorld;
import io.spillway.standalone.WorldPlan;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPairGenerator;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The packaged server with an account of each of the thirteen providers, none of which answers. */
@Tag("real")
class EveryProviderIsThereTest {
  /** The discard port: nothing listens there. */
  private static final String NOBODY = "http://127.0.0.1:9";

  private static final String ACCOUNT = "dead";
  private static final String SECRET = "hush-0123456789-abcdef";

  @TempDir Path data;

  @Test
  @Timeout(value = 5, unit = TimeUnit.MINUTES)
  void accounts_that_nobody_answers_for_fail_by_themselves_and_say_so_once() throws Exception {
    assumeTrue(Installation.find().built(), "the programs are not packaged, run the build first");
    Map<String, Map<String, String>> accounts = accounts();
    WorldPlan plan = WorldPlan.on(data);
    for (String provider : accounts.keySet()) {
      String prefix = "spillway.providers." + provider + ".accounts." + ACCOUNT + '.';
      plan = plan.withServerProperty(prefix + "endpoint", NOBODY);
      plan = plan.withServerProperty(prefix + "interval", "2s");
      for (Map.Entry<String, String> setting : accounts.get(provider).entrySet()) {
        plan = plan.withServerProperty(prefix + setting.getKey(), setting.getValue());
      }
    }
    try (StandaloneWorld world = StandaloneWorld.open(plan)) {
      await("every account was asked")
          .atMost(Duration.ofMinutes(2))
          .pollInterval(Duration.ofSeconds(1))
          .untilAsserted(
              () -> assertThat(states(world)).hasSize(13).allSatisfy((p, s) -> failing(p, s)));
      assertThat(world.server(0).api().get("/api/v1/offerings").ok().path("items").size())
          .as("the other accounts are observed all the same")
          .isPositive();

      List<String> log = Files.readAllLines(world.server(0).process().log());
      for (String provider : accounts.keySet()) {
        assertThat(log)
            .filteredOn(line -> line.contains("account=" + provider + '/' + ACCOUNT + ' '))
            .as(provider)
            .hasSize(1);
      }
      assertThat(log).noneMatch(line -> line.contains(SECRET));
      assertThat(log).noneMatch(line -> line.contains("by a bug of its module"));
    }
  }

  private static void failing(String provider, JsonNode probe) {
    assertThat(probe.path("state").asText()).as(provider + ": " + probe).isEqualTo("FAILING");
    assertThat(probe.path("failureClass").asText())
        .as(provider + ": " + probe)
        .isIn("TRANSIENT", "AUTH");
    assertThat(probe.has("backOffUntil")).as(provider + ": " + probe).isTrue();
    assertThat(probe.toString()).doesNotContain(SECRET);
  }

  private static Map<String, JsonNode> states(StandaloneWorld world)
      throws IOException, InterruptedException {
    Map<String, JsonNode> states = new TreeMap<>();
    for (JsonNode item : world.server(0).api().get("/api/v1/providers").ok().path("items")) {
      if (item.path("account").asText().equals(ACCOUNT)) {
        states.put(item.path("provider").asText(), item.path("probe"));
      }
    }
    return states;
  }

  /** Settings with which each module takes the account; keys below the account's name. */
  private static Map<String, Map<String, String>> accounts() throws NoSuchAlgorithmException {
    String pem = pem();
    Map<String, Map<String, String>> accounts = new LinkedHashMap<>();
    accounts.put(
        "aws",
        Map.of(
            "regions", "us-east-2",
            "credentials.access-key-id", "AKIDMADEUP0001",
            "credentials.secret-access-key", SECRET));
    accounts.put(
        "azure",
        Map.of(
            "account-id", "0a000000-0000-0000-0000-000000000001",
            "regions", "eastus",
            "credentials.tenant-id", "0b000000-0000-0000-0000-000000000002",
            "credentials.client-id", "0c000000-0000-0000-0000-000000000003",
            "credentials.client-secret", SECRET));
    accounts.put(
        "gcp",
        Map.of(
            "account-id", "p-1",
            "regions", "us-central1",
            "credentials.key-json",
                "{\"type\":\"service_account\",\"project_id\":\"p-1\",\"private_key_id\":\"k-1\","
                    + "\"private_key\":\""
                    + pem.replace("\n", "\\n")
                    + "\",\"client_email\":\"probe@p-1.iam.gserviceaccount.com\","
                    + "\"client_id\":\"1\",\"token_uri\":\""
                    + NOBODY
                    + "/token\"}"));
    accounts.put(
        "oci",
        Map.of(
            "regions", "eu-frankfurt-1",
            "credentials.tenancy", "ocid1.tenancy.oc1..aaaa",
            "credentials.user", "ocid1.user.oc1..uuuu",
            "credentials.fingerprint", "11:22:33:44:55:66:77:88:99:00:aa:bb:cc:dd:ee:ff",
            "credentials.private-key", pem));
    accounts.put("coreweave", Map.of("regions", "US-EAST-04", "credentials.token", SECRET));
    accounts.put(
        "crusoe",
        Map.of(
            "credentials.access-key", "AKmadeup00",
            "credentials.secret-key", SECRET,
            "credentials.project-id", "p-made-up"));
    accounts.put(
        "nebius", Map.of("credentials.tenant-id", "tenant-x", "credentials.token", SECRET));
    accounts.put(
        "verda",
        Map.of("credentials.client-id", "client-0a1b2c", "credentials.client-secret", SECRET));
    for (String keyed : List.of("lambda", "fluidstack", "runpod", "vast", "hyperstack")) {
      accounts.put(keyed, Map.of("credentials.api-key", SECRET));
    }
    return accounts;
  }

  private static String pem() throws NoSuchAlgorithmException {
    KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
    generator.initialize(2_048);
    return "-----BEGIN PRIVATE KEY-----\n"
        + Base64.getMimeEncoder(64, new byte[] {'\n'})
            .encodeToString(generator.generateKeyPair().getPrivate().getEncoded())
        + "\n-----END PRIVATE KEY-----\n";
  }
}
