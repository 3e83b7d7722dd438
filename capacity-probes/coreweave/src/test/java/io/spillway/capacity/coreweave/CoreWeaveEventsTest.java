package io.spillway.capacity.coreweave;

import static org.assertj.core.api.Assertions.assertThat;

import io.spillway.capacity.spi.EventNormalizer.Failures;
import io.spillway.capacity.spi.EventNormalizer.Irrelevant;
import io.spillway.capacity.spi.EventNormalizer.Malformed;
import io.spillway.capacity.spi.EventNormalizer.Normalized;
import io.spillway.capacity.spi.EventNormalizer.NotMine;
import io.spillway.capacity.spi.EventNormalizer.Notices;
import io.spillway.scheduler.market.CapacityNotice;
import io.spillway.scheduler.market.CapacityNotice.Kind;
import io.spillway.scheduler.model.CapacityFailure;
import io.spillway.scheduler.model.FailureClass;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

class CoreWeaveEventsTest {
  private static final Instant TIME = Instant.parse("2026-11-30T08:15:42Z");

  private static final String LABELLED =
      """
      {"type": "MODIFIED", "account": "org-1", "region": "US-EAST-04", "time": "2026-11-30T08:15:40Z",
       "object": {"kind": "Node", "apiVersion": "v1",
         "metadata": {"name": "g1a2b3", "uid": "u-1", "labels": {
           "compute.coreweave.com/node-pool": "h100-spot",
           "qos.coreweave.cloud/pending-preemption": "true"}},
         "spec": {"unschedulable": true, "providerID": "coreweave://g1a2b3"}}}
      """;

  private static final String POOL =
      """
      {"type": "MODIFIED", "account": "org-1", "region": "US-EAST-04", "zone": "US-EAST-04A",
       "object": {"kind": "NodePool", "apiVersion": "compute.coreweave.com/v1alpha1",
         "metadata": {"name": "h100-spot"},
         "spec": {"computeClass": "spot", "instanceType": "gd-8xh100ib-i128", "targetNodes": 4},
         "status": {"currentNodes": 2, "conditions": [
           {"type": "Valid", "status": "True", "reason": "Valid"},
           {"type": "Capacity", "status": "False", "reason": "Partial", "message": "made-up"}]}}}
      """;

  private static final String EVENT =
      """
      {"metadata": {"name": "h100-spot.1", "uid": "e-1"}, "reason": "CWInsufficientCapacity",
       "message": "not enough nodes", "type": "Warning", "lastTimestamp": "2026-11-30T08:15:00Z",
       "involvedObject": {"kind": "NodePool", "name": "h100-spot"},
       "clusterName": "org-1", "region": "US-EAST-04", "instanceType": "gd-8xh100ib-i128",
       "computeClass": "spot"}
      """;

  @Test
  void how_long_coreweave_warns_can_be_told() {
    Normalized told =
        new CoreWeaveProvider()
            .with(Map.of("spot-notice", Duration.ofSeconds(60)))
            .normalizer()
            .normalize(LABELLED, (provider, id) -> Optional.empty(), TIME);

    assertThat(((Notices) told).notices().getFirst().deadline())
        .contains(Instant.parse("2026-11-30T08:16:40Z"));
  }

  @Test
  void a_label_on_a_node_is_an_interruption_within_seven_minutes() {
    CapacityNotice notice = ((Notices) normalize(LABELLED)).notices().getFirst();

    assertThat(notice.kind()).isEqualTo(Kind.INTERRUPTION);
    assertThat(notice.account()).isEqualTo("cks");
    assertThat(notice.region()).isEqualTo("US-EAST-04");
    assertThat(notice.instances()).containsExactly("coreweave://g1a2b3", "g1a2b3");
    assertThat(notice.noticedAt()).isEqualTo(Instant.parse("2026-11-30T08:15:40Z"));
    assertThat(notice.deadline()).contains(Instant.parse("2026-11-30T08:22:40Z"));
  }

  @Test
  void a_node_that_is_deleted_is_a_loss_and_one_without_the_label_is_nothing() {
    assertThat(
            ((Notices) normalize(LABELLED.replace("MODIFIED", "DELETED")))
                .notices()
                .getFirst()
                .kind())
        .isEqualTo(Kind.LOSS);
    assertThat(normalize(LABELLED.replace("\"true\"", "\"false\""))).isInstanceOf(Irrelevant.class);
  }

  @Test
  void a_pool_that_does_not_get_its_nodes_is_a_refusal_of_its_type_and_class() {
    CapacityFailure failure = ((Failures) normalize(POOL)).failures().getFirst();

    assertThat(failure.failureClass()).isEqualTo(FailureClass.NO_CAPACITY);
    assertThat(failure.scope().text())
        .isEqualTo("coreweave/cks/US-EAST-04/US-EAST-04A/gd-8xh100ib-i128/spot");
    assertThat(normalize(POOL.replace("Partial", "Sufficient"))).isInstanceOf(Irrelevant.class);
  }

  @Test
  void an_event_of_a_pool_is_a_refusal_when_it_is_told_what_the_pool_is_made_of() {
    CapacityFailure failure = ((Failures) normalize(EVENT)).failures().getFirst();

    assertThat(failure.failureClass()).isEqualTo(FailureClass.NO_CAPACITY);
    assertThat(failure.at()).isEqualTo(Instant.parse("2026-11-30T08:15:00Z"));
    assertThat(
            ((Failures) normalize(EVENT.replace("CWInsufficientCapacity", "CWOverQuota")))
                .failures()
                .getFirst()
                .failureClass())
        .isEqualTo(FailureClass.QUOTA);
    assertThat(normalize(EVENT.replace("CWInsufficientCapacity", "CWNodePoolScaledUp")))
        .isEqualTo(new Irrelevant("CWNodePoolScaledUp"));
    assertThat(normalize(EVENT.replace("\"instanceType\"", "\"other\"")))
        .isEqualTo(new Malformed("CWInsufficientCapacity without 'instanceType'"));
  }

  @Test
  void wrapped_doubled_and_shuffled_notices_are_the_same_notices() {
    long seed = 20_261_130L;
    List<String> messages = new ArrayList<>();
    Set<String> expected = new HashSet<>();
    for (int i = 0; i < 50; i++) {
      String one = LABELLED.replace("u-1", "u-" + i).replace("g1a2b3", "g" + i);
      String quoted = '"' + one.replace("\"", "\\\"").replace("\n", "\\n") + '"';
      messages.addAll(List.of(one, "{\"Body\":" + quoted + "}", quoted));
      expected.add("coreweave:u-" + i + ":pending-preemption");
    }
    Collections.shuffle(messages, new Random(seed));

    Set<String> ids = new HashSet<>();
    for (String message : messages) {
      ids.add(((Notices) normalize(message)).notices().getFirst().noticeId());
    }

    assertThat(ids).as("seed %d", seed).isEqualTo(expected);
  }

  @Test
  void others_events_and_broken_ones_are_told_apart() {
    assertThat(normalize("{\"source\":\"aws.ec2\",\"detail-type\":\"x\"}"))
        .isInstanceOf(NotMine.class);
    assertThat(normalize("{\"kind\":\"Node\",\"metadata\":{\"name\":\"n\",\"labels\":{}}}"))
        .isInstanceOf(NotMine.class);
    assertThat(normalize("{\"kind\":\"Event\",\"reason\":\"FailedMount\"}"))
        .isInstanceOf(NotMine.class);
    assertThat(normalize(LABELLED.replace("\"account\"", "\"other\"")))
        .isEqualTo(new Malformed("field 'account' is missing"));
    assertThat(normalize(LABELLED.replace("\"region\"", "\"other\"")))
        .isEqualTo(new Malformed("field 'region' is missing"));
    assertThat(normalize(LABELLED.replace("\"uid\"", "\"other\""))).isInstanceOf(Malformed.class);
    assertThat(normalize(LABELLED.replace("2026-11-30T08:15:40Z", "yesterday")))
        .isEqualTo(new Malformed("field 'time' is no time"));
    assertThat(normalize("{")).isInstanceOf(Malformed.class);
  }

  @Test
  void torn_and_twisted_events_never_break_the_reader() {
    long seed = new Random().nextLong();
    Random random = new Random(seed);
    for (int i = 0; i < 3_000; i++) {
      String event = List.of(LABELLED, POOL, EVENT).get(random.nextInt(3));
      int from = random.nextInt(event.length());
      int to = Math.min(event.length(), from + random.nextInt(12));
      String twisted =
          event.substring(0, from) + "0{\"[}],:x".charAt(random.nextInt(9)) + event.substring(to);
      assertThat(normalize(twisted)).as("seed %d: %s", seed, twisted).isNotNull();
    }
  }

  private static Normalized normalize(String json) {
    return new CoreWeaveProvider()
        .normalizer()
        .normalize(
            json,
            (provider, id) -> id.equals("org-1") ? Optional.of("cks") : Optional.empty(),
            TIME);
  }
}
