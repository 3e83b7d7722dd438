package io.spillway.capacity.simulated.cloud;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.spillway.capacity.simulated.cloud.Behaviour.Faults;
import io.spillway.capacity.simulated.cloud.Behaviour.RefusalMode;
import io.spillway.capacity.simulated.market.Catalogue;
import io.spillway.capacity.simulated.market.Line;
import io.spillway.capacity.simulated.market.Market;
import io.spillway.capacity.simulated.market.MarketSettings;
import io.spillway.capacity.simulated.time.VirtualTimeline;
import io.spillway.scheduler.model.CapacityType;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class CloudTest {
  private static final Line OHIO =
      new Line("aws", "us-east-2", "use2-az1", "p5.48xlarge", CapacityType.SPOT);
  private static final Account ACCOUNT = new Account("aws-demo", "aws", "210987654321");

  private final VirtualTimeline timeline =
      new VirtualTimeline(Instant.parse("2026-11-30T08:00:00Z"));
  private final Market market = new Market(timeline, MarketSettings.calm(1));
  private final List<JsonNode> notices = new ArrayList<>();
  private final List<JsonNode> events = new ArrayList<>();
  private final List<String> seen = new ArrayList<>();
  private final Cloud cloud = new Cloud(timeline, market, Behaviour.CALM, this::record, 1);

  CloudTest() {
    Catalogue.all().forEach(market::sell);
    cloud.join(
        "eks-ohio",
        new Customer() {
          @Override
          public void noticed(Instance instance, Instant deadline) {
            seen.add("noticed until " + deadline);
          }

          @Override
          public void gone(Instance instance, boolean announced) {
            seen.add(announced ? "gone as announced" : "gone without a word");
          }

          @Override
          public void broke(Instance instance) {
            seen.add("broke");
          }
        });
  }

  private void record(String topic, String key, String json) {
    try {
      (topic.equals(EventSink.NOTICES) ? notices : events).add(new ObjectMapper().readTree(json));
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(json, e);
    }
  }

  private List<Instance> launch(int nodes) {
    List<Instance> got = new ArrayList<>();
    cloud.launch(
        new Launch("eks-ohio", ACCOUNT, OHIO, nodes),
        new Launch.Outcome() {
          @Override
          public void ready(List<Instance> instances) {
            seen.add("ready");
            got.addAll(instances);
          }

          @Override
          public void refused(Refusal refusal) {
            seen.add("refused " + refusal.code());
          }

          @Override
          public void timedOut(Refusal refusal) {
            seen.add("timed out");
          }
        });
    return got;
  }

  private void wrong(Faults faults) {
    cloud.behave(new Behaviour(Behaviour.CALM.delays(), faults, Behaviour.CALM.jobs()));
  }

  @Test
  void nodes_come_after_their_boot_time_with_ids_in_the_providers_form() {
    List<Instance> got = launch(2);
    timeline.advance(Duration.ofSeconds(1));
    assertThat(got).isEmpty();
    timeline.advance(Duration.ofSeconds(3));
    assertThat(got).hasSize(2).allMatch(i -> i.id().matches("i-0[0-9a-f]{16}"));
    assertThat(market.held(OHIO)).isEqualTo(2);
  }

  @Test
  void more_than_there_is_is_refused_whole_in_ec2s_words_and_logged_late() {
    launch(17);
    timeline.advance(Duration.ofMillis(1));
    assertThat(seen).containsExactly("refused InsufficientInstanceCapacity");
    assertThat(events).isEmpty();
    timeline.advance(Duration.ofSeconds(15));
    assertThat(events.getFirst().path("detail-type").asText())
        .isEqualTo("AWS API Call via CloudTrail");
    assertThat(events.getFirst().path("detail").path("errorCode").asText())
        .isEqualTo("Server.InsufficientInstanceCapacity");
    assertThat(market.held(OHIO)).isZero();
  }

  @Test
  void when_capacity_shrinks_the_surplus_is_announced_and_taken_two_minutes_later() {
    launch(3);
    timeline.advance(Duration.ofSeconds(5));
    market.force(OHIO, 1, Duration.ofHours(1));
    timeline.advance(Duration.ofSeconds(2));
    assertThat(notices).hasSize(2);
    assertThat(notices.getFirst().path("detail-type").asText())
        .isEqualTo("EC2 Spot Instance Interruption Warning");
    assertThat(notices.getFirst().path("account").asText()).isEqualTo("210987654321");
    assertThat(notices.getFirst().path("detail").path("instance-id").asText()).startsWith("i-0");
    assertThat(cloud.instances()).hasSize(3);
    timeline.advance(Duration.ofMinutes(2));
    assertThat(cloud.instances()).hasSize(1);
    assertThat(seen.stream().filter("gone as announced"::equals)).hasSize(2);
    assertThat(events.getLast().path("detail").path("state").asText()).isEqualTo("terminated");
    timeline.advance(Duration.ofMinutes(1));
    assertThat(notices).as("nobody is announced twice").hasSize(2);
  }

  @Test
  void some_losses_come_without_a_word() {
    wrong(new Faults(0, RefusalMode.AT_ONCE, 0, 0, 1, 0, 0, 0, 0));
    launch(1);
    timeline.advance(Duration.ofSeconds(5));
    market.force(OHIO, 0, Duration.ofHours(1));
    timeline.advance(Duration.ofSeconds(1));
    assertThat(notices).isEmpty();
    assertThat(seen).endsWith("gone without a word");
  }

  @Test
  void a_recommendation_may_go_before_the_warning() {
    wrong(new Faults(0, RefusalMode.AT_ONCE, 0, 0, 0, 1, 0, 0, 0));
    launch(1);
    timeline.advance(Duration.ofSeconds(5));
    market.force(OHIO, 0, Duration.ofHours(1));
    timeline.advance(Duration.ofSeconds(12));
    assertThat(notices)
        .extracting(n -> n.path("detail-type").asText())
        .containsExactly(
            "EC2 Instance Rebalance Recommendation", "EC2 Spot Instance Interruption Warning");
  }

  @Test
  void a_silent_refusal_shows_only_in_the_api_log() {
    wrong(new Faults(1, RefusalMode.SILENT, 0, 0, 0, 0, 0, 0, 0));
    launch(1);
    timeline.advance(Duration.ofMinutes(5));
    assertThat(seen).isEmpty();
    assertThat(events).hasSize(1);
  }

  @Test
  void a_late_refusal_comes_when_the_node_should_have_come() {
    wrong(new Faults(1, RefusalMode.LATER, 0, 0, 0, 0, 0, 0, 0));
    launch(1);
    timeline.advance(Duration.ofSeconds(1));
    assertThat(seen).isEmpty();
    timeline.advance(Duration.ofSeconds(3));
    assertThat(seen).containsExactly("refused InsufficientInstanceCapacity");
  }

  @Test
  void SKY_12_a_create_call_that_times_out_may_have_done_its_work() {
    wrong(new Faults(0, RefusalMode.AT_ONCE, 1, 0, 0, 0, 0, 0, 0));
    launch(1);
    timeline.advance(Duration.ofSeconds(5));
    assertThat(seen).containsExactly("timed out", "ready");
  }

  @Test
  void quota_and_throttling_have_their_own_codes() {
    wrong(new Faults(0, RefusalMode.AT_ONCE, 0, 0, 0, 0, 0, 2, 2));
    launch(2);
    launch(1);
    launch(1);
    timeline.advance(Duration.ofMillis(1));
    assertThat(seen).containsExactly("refused VcpuLimitExceeded", "refused RequestLimitExceeded");
  }

  @Test
  void an_outage_and_a_forced_refusal_hold_for_their_time() {
    cloud
        .injections()
        .refuse(OHIO::equals, Injections.Kind.QUOTA, RefusalMode.AT_ONCE, 1, Duration.ofMinutes(1));
    launch(1);
    cloud
        .injections()
        .outage("aws-demo", Injections.OutageKind.UNAVAILABLE, Duration.ofSeconds(10));
    launch(1);
    timeline.advance(Duration.ofSeconds(11));
    launch(1);
    timeline.advance(Duration.ofSeconds(5));
    assertThat(seen)
        .containsExactly("refused VcpuLimitExceeded", "refused ServiceUnavailable", "ready");
  }
}
