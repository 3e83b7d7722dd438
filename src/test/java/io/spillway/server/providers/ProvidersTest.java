package io.spillway.server.providers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import io.smallrye.config.EnvConfigSource;
import io.smallrye.config.PropertiesConfigSource;
import io.smallrye.config.SmallRyeConfigBuilder;
import io.spillway.capacity.spi.AccountSettings;
import io.spillway.capacity.spi.CapacityProbe;
import io.spillway.capacity.spi.CapacityProvider;
import io.spillway.capacity.spi.DefaultClassification;
import io.spillway.capacity.spi.EventNormalizer;
import io.spillway.capacity.spi.Facts;
import io.spillway.capacity.spi.FailureClassifier;
import io.spillway.capacity.testkit.FactsContract;
import io.spillway.scheduler.model.CapacityType;
import io.spillway.scheduler.model.GpuModel;
import io.spillway.scheduler.model.MarketKey;
import io.spillway.server.json.Durations;
import java.io.IOException;
import java.math.BigDecimal;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

class ProvidersTest {
  private static final String PREFIX = "spillway.providers.cloud.accounts.";

  @Test
  void several_accounts_of_a_provider_are_read_with_all_their_settings() {
    Providers providers =
        providers(
            Map.of(
                PREFIX + "prod.account-id", "210987654321",
                PREFIX + "prod.regions", "us-east-2, eu-west-1",
                PREFIX + "prod.interval", "90s",
                PREFIX + "prod.discount", "0.85",
                PREFIX + "prod.call-rate", "0.5",
                PREFIX + "prod.endpoint", "https://api.cloud.example",
                PREFIX + "prod.credentials.api-key", "s3cret",
                PREFIX + "research.credentials.api-key", "other"));

    assertThat(providers.off()).isEmpty();
    AccountSettings prod = providers.accounts().getFirst().settings();
    assertThat(prod.name()).isEqualTo("prod");
    assertThat(prod.accountId()).contains("210987654321");
    assertThat(prod.regions()).containsExactly("us-east-2", "eu-west-1");
    assertThat(prod.interval()).isEqualTo(Duration.ofSeconds(90));
    assertThat(prod.discount()).isEqualByComparingTo("0.85");
    assertThat(prod.callRate()).isEqualTo(0.5);
    assertThat(prod.endpoint()).contains(URI.create("https://api.cloud.example"));
    assertThat(prod.credentials()).containsExactly(Map.entry("api-key", "s3cret"));
    AccountSettings research = providers.accounts().getLast().settings();
    assertThat(research.name()).isEqualTo("research");
    assertThat(research.interval()).isEqualTo(Duration.ofSeconds(60));
    assertThat(research.discount()).isEqualTo(BigDecimal.ONE);
    assertThat(research.callRate()).isEqualTo(1);
    assertThat(providers.nameOf("cloud", "210987654321")).contains("prod");
    assertThat(providers.nameOf("cloud", "research")).contains("research");
  }

  @Test
  void an_account_can_come_from_environment_variables_alone() {
    ProvidersConfig config =
        new SmallRyeConfigBuilder()
            .withMapping(ProvidersConfig.class)
            .withSources(
                new EnvConfigSource(
                    Map.of(
                        "SPILLWAY_PROVIDERS_CLOUD_ACCOUNTS_MAIN_CREDENTIALS_API_KEY", "s3cret",
                        "SPILLWAY_PROVIDERS_CLOUD_ACCOUNTS_MAIN_ACCOUNT_ID", "42"),
                    300))
            .build()
            .getConfigMapping(ProvidersConfig.class);

    Providers providers = new Providers(config, new TreeMap<>(Map.of("cloud", new Cloud())));

    assertThat(providers.off()).isEmpty();
    assertThat(providers.accounts().getFirst().settings().credentials())
        .containsExactly(Map.entry("api-key", "s3cret"));
    assertThat(providers.nameOf("cloud", "42")).contains("main");
  }

  @Test
  void a_wrong_setting_turns_off_its_account_alone_and_names_the_key() {
    Map<String, String> wrong =
        Map.ofEntries(
            Map.entry("interval=soon", "interval: 'soon' is no duration"),
            Map.entry("interval=0s", "interval: '0s' is no duration"),
            Map.entry("interval=1ms", "interval: '1ms' is not between 500ms and 1d"),
            Map.entry("interval=3d", "interval: '3d' is not between 500ms and 1d"),
            Map.entry("discount=20%", "discount: '20%' is no number"),
            Map.entry("discount=20", "discount: '20' is no factor between 0 and 1"),
            Map.entry("discount=0", "discount: '0' is no factor between 0 and 1"),
            Map.entry("call-rate=often", "call-rate: 'often' is no factor between 0.01 and 100"),
            Map.entry("call-rate=0", "call-rate: '0' is no factor between 0.01 and 100"),
            Map.entry("call-rate=NaN", "call-rate: 'NaN' is no factor between 0.01 and 100"),
            Map.entry("endpoint=api.cloud.example", "endpoint: must be an address"),
            Map.entry("endpoint=https://u:pw@api.cloud.example", "endpoint: must be an address"),
            Map.entry("endpoint=http://a b", "endpoint: must be an address"),
            Map.entry("regions=a,,b", "regions:"),
            Map.entry("regions=../x", "regions: '../x' is no region"),
            Map.entry("regoins=us-east-2", "regoins: there is no such key; there are account-id"));
    wrong.forEach(
        (setting, message) -> {
          String key = setting.substring(0, setting.indexOf('='));
          String value = setting.substring(setting.indexOf('=') + 1);
          Providers providers =
              providers(
                  Map.of(
                      PREFIX + "bad." + key, value,
                      PREFIX + "bad.credentials.api-key", "s3cret",
                      PREFIX + "good.credentials.api-key", "s3cret"));

          assertThat(providers.accounts()).as(setting).hasSize(1);
          assertThat(providers.accounts().getFirst().settings().name()).isEqualTo("good");
          assertThat(providers.off()).as(setting).hasSize(1);
          assertThat(providers.off().getFirst().why())
              .as(setting)
              .startsWith(PREFIX + "bad." + message)
              .doesNotContain("s3cret", "pw");
        });
  }

  @Test
  void without_credentials_a_provider_is_off_and_says_which() {
    Providers providers = providers(Map.of(PREFIX + "prod.regions", "us-east-2"));

    assertThat(providers.accounts()).isEmpty();
    assertThat(providers.off())
        .containsExactly(
            new Providers.Off(
                "cloud",
                "prod",
                "spillway.providers.cloud.accounts.prod: credentials.api-key is missing"));
    assertThat(providers.nameOf("cloud", "prod")).as("its events still come").contains("prod");
  }

  @Test
  void a_provider_or_a_word_that_does_not_exist_is_named_and_stops_nothing() {
    Map<String, String> texts = new HashMap<>();
    texts.put("spillway.providers.clowd.accounts.prod.regions", "us-east-2");
    texts.put("spillway.providers.cloud.accouts.prod.regions", "us-east-2");
    texts.put(PREFIX + "good.credentials.api-key", "s3cret");

    Providers providers = providers(texts);

    assertThat(providers.accounts()).hasSize(1);
    assertThat(providers.off().stream().map(Providers.Off::why))
        .anyMatch(
            why ->
                why.startsWith("spillway.providers.clowd: there is no such provider module;")
                    && why.contains("cloud"))
        .anyMatch(
            why -> why.startsWith("spillway.providers.cloud.accouts.prod.regions: there is no"));
  }

  @Test
  void two_accounts_with_one_id_are_told_since_events_could_not_be_joined() {
    Providers providers =
        providers(
            Map.of(
                PREFIX + "a.account-id", "1",
                PREFIX + "a.credentials.api-key", "k",
                PREFIX + "b.account-id", "1",
                PREFIX + "b.credentials.api-key", "k"));

    assertThat(providers.accounts()).hasSize(1);
    assertThat(providers.off().getFirst().why())
        .isEqualTo("spillway.providers.cloud.accounts.b.account-id: account a has the same");
  }

  @Test
  void a_fact_of_a_provider_can_be_told_and_a_wrong_one_costs_neither_another_nor_an_account() {
    String facts = "spillway.providers.cloud.facts.";
    Providers providers =
        providers(
            Map.of(
                facts + "spot-notice", "90s",
                facts + "block-no-capacity-offering-spot", "4m",
                facts + "block-no-capasity", "4m",
                facts + "block-quota", "31d",
                facts + "spot-notise", "1m",
                facts + "odd", "soon",
                PREFIX + "good.credentials.api-key", "k"));

    assertThat(providers.accounts()).hasSize(1);
    assertThat(providers.off())
        .extracting(Providers.Off::why)
        .satisfiesExactlyInAnyOrder(
            why -> assertThat(why).isEqualTo(facts + "odd: no duration such as 90s or 2m"),
            why ->
                assertThat(why)
                    .startsWith(facts + "spot-notise: there is no such fact of cloud; there are")
                    .contains("spot-notice", "block-<class>"),
            why ->
                assertThat(why)
                    .startsWith(facts + "block-no-capasity: there is no such time; there are")
                    .contains("no-capacity", "offering", "on-demand"),
            why ->
                assertThat(why).isEqualTo(facts + "block-quota: PT744H is not between 0 and 30 d"));
    CapacityProvider cloud = providers.provider("cloud").orElseThrow();
    assertThat(cloud.facts().notice(Facts.SPOT_NOTICE)).isEqualTo(Duration.ofSeconds(90));
    assertThat(refused(cloud, CapacityType.SPOT)).isEqualTo(Duration.ofMinutes(4));
    assertThat(refused(cloud, CapacityType.ON_DEMAND)).isEqualTo(Duration.ofMinutes(5));
  }

  private static Duration refused(CapacityProvider cloud, CapacityType market) {
    MarketKey key = new MarketKey("cloud", "good", "r", "z", "t", market, Optional.empty());
    return cloud
        .classifier()
        .classify(new FailureClassifier.Failure(key, "", "out of stock", 0, Instant.EPOCH))
        .block();
  }

  @Test
  void the_page_of_settings_tells_every_notice_of_every_module() throws IOException {
    List<String> page = Files.readAllLines(Path.of("../capacity-probes/README.md"));
    Providers.installed()
        .forEach(
            (name, module) -> {
              String told =
                  module.facts().notices().entrySet().stream()
                      .map(fact -> '`' + fact.getKey() + "` " + text(fact.getValue()))
                      .collect(Collectors.joining(", "));
              assertThat(page)
                  .as(name)
                  .anyMatch(line -> line.startsWith("| `" + name + "` | " + told + " |"));
            });
  }

  private static String text(Duration time) {
    return time.isZero() ? "0s" : Durations.text(time);
  }

  @TestFactory
  Stream<DynamicTest> every_module_goes_by_the_times_that_it_is_told() {
    return Providers.installed().values().stream()
        .map(module -> dynamicTest(module.name(), () -> FactsContract.holdsFor(module)));
  }

  @Test
  void a_bug_in_one_module_leaves_the_others_running() {
    Providers providers =
        providers(
            Map.of(
                PREFIX + "bug.credentials.api-key", "bug",
                PREFIX + "good.credentials.api-key", "k"));

    assertThat(providers.accounts()).hasSize(1);
    assertThat(providers.off().getFirst().why()).contains("a bug of its module");
  }

  @Test
  void the_modules_of_this_build_are_found_once_and_in_the_order_of_their_names() {
    assertThat(List.copyOf(Providers.installed().keySet()))
        .isSorted()
        .contains("aws", "oci", "simulated");
  }

  private static Providers providers(Map<String, String> texts) {
    ProvidersConfig config =
        new SmallRyeConfigBuilder()
            .withMapping(ProvidersConfig.class)
            .withSources(new PropertiesConfigSource(texts, "test", 100))
            .build()
            .getConfigMapping(ProvidersConfig.class);
    return new Providers(config, new TreeMap<>(Map.of("cloud", new Cloud())));
  }

  /** A module that needs a key. */
  private static final class Cloud implements CapacityProvider {
    private final Facts facts;

    Cloud() {
      this(Facts.of("cloud", Duration.ofMinutes(2)));
    }

    private Cloud(Facts facts) {
      this.facts = facts;
    }

    @Override
    public Facts facts() {
      return facts;
    }

    @Override
    public CapacityProvider with(Map<String, Duration> told) {
      return new Cloud(facts.with(told));
    }

    @Override
    public String name() {
      return "cloud";
    }

    @Override
    public Map<String, GpuModel> gpuAliases() {
      return Map.of();
    }

    @Override
    public CapacityProbe probe(AccountSettings account) {
      String key = account.credentials().get("api-key");
      if (key == null) {
        throw new IllegalArgumentException("credentials.api-key is missing");
      }
      if (key.equals("bug")) {
        throw new IllegalStateException("oops");
      }
      return (interest, now) ->
          CompletableFuture.completedFuture(new CapacityProbe.Result(List.of(), List.of()));
    }

    @Override
    public FailureClassifier classifier() {
      return facts.over(new DefaultClassification());
    }

    @Override
    public EventNormalizer normalizer() {
      return (json, accounts, receivedAt) -> new EventNormalizer.NotMine();
    }
  }
}
