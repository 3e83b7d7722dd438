package io.spillway.capacity.aws;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.spillway.capacity.spi.EventNormalizer;
import io.spillway.capacity.spi.EventNormalizer.Malformed;
import io.spillway.capacity.spi.EventNormalizer.Normalized;
import io.spillway.capacity.spi.EventNormalizer.NotMine;
import io.spillway.capacity.spi.EventNormalizer.Notices;
import io.spillway.capacity.spi.EventNormalizer.Several;
import io.spillway.scheduler.market.CapacityNotice;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What carriers do to events on the way: wrapping, batching, repeating, mixing up. */
class AwsCarriersTest {
  private static final Instant NOW = Instant.parse("2026-11-30T08:16:00Z");
  private static final ObjectMapper JSON = new ObjectMapper();

  private final EventNormalizer events = new AwsProvider().normalizer();

  @Test
  void whatever_is_wrapped_around_an_event_its_meaning_is_the_same() {
    Normalized bare = read(warning("e-1", "i-1"));
    for (UnaryOperator<String> wrapper : wrappers()) {
      assertThat(read(wrapper.apply(warning("e-1", "i-1")))).isEqualTo(bare);
      for (UnaryOperator<String> outer : wrappers()) {
        assertThat(read(outer.apply(wrapper.apply(warning("e-1", "i-1"))))).isEqualTo(bare);
      }
    }
  }

  @Test
  void a_batch_is_read_event_by_event_and_a_bad_one_spoils_no_other() {
    String bad = event("e-2", "aws.ec2", "EC2 Instance Rebalance Recommendation", "{}");
    for (String batch :
        List.of(
            "[" + warning("e-1", "i-1") + "," + bad + "," + warning("e-3", "i-3") + ",7]",
            "{\"Records\":[{\"body\":%s},{\"body\":%s},{\"Sns\":{\"Message\":%s}},{\"body\":\"x\"}]}"
                .formatted(
                    quoted(warning("e-1", "i-1")), quoted(bad), quoted(warning("e-3", "i-3"))),
            "{\"Messages\":[{\"Body\":%s},{\"Body\":%s},{\"Body\":%s},{\"Body\":\"{\"}]}"
                .formatted(
                    quoted(sns(warning("e-1", "i-1"))),
                    quoted(bad),
                    quoted(warning("e-3", "i-3"))))) {
      List<Normalized> parts = ((Several) read(batch)).parts();

      assertThat(parts).hasSize(4);
      assertThat(ids(parts)).containsExactly("aws:e-1", "aws:e-3");
      assertThat(parts.get(1)).isEqualTo(new Malformed("field 'instance-id' is missing"));
      assertThat(parts.get(3)).isInstanceOfAny(Malformed.class, NotMine.class);
    }
  }

  @Test
  void in_any_order_and_told_twice_the_same_notices_are_known_by_the_same_ids() {
    List<String> told = new ArrayList<>();
    for (int i = 0; i < 40; i++) {
      told.add(
          i % 2 == 0
              ? warning("e-" + i, "i-" + i)
              : event(
                  "e-" + i,
                  "aws.ec2",
                  "EC2 Instance State-change Notification",
                  "{\"instance-id\":\"i-" + (i - 1) + "\",\"state\":\"shutting-down\"}"));
    }
    Map<String, CapacityNotice> straight = notices(told);
    long seed = 20_261_201L;
    Random random = new Random(seed);
    for (int round = 0; round < 20; round++) {
      List<String> mixed = new ArrayList<>(told);
      mixed.addAll(told.subList(0, 13));
      Collections.shuffle(mixed, random);

      assertThat(notices(mixed)).as("seed %d, round %d", seed, round).isEqualTo(straight);
    }
  }

  @Test
  void fields_that_nobody_knows_change_nothing() {
    String more =
        warning("e-1", "i-1")
            .replace(
                "\"detail\":{", "\"new-field\":[{\"a\":1}],\"detail\":{\"future\":{\"b\":[]},");

    assertThat(read(more)).isEqualTo(read(warning("e-1", "i-1")));
  }

  @Test
  void hostile_text_is_malformed_or_somebody_elses_and_never_throws() {
    String whole = sns(warning("e-1", "i-1"));
    long seed = 7_001L;
    Random random = new Random(seed);
    for (int i = 0; i < 3_000; i++) {
      StringBuilder text = new StringBuilder(whole);
      for (int cut = 0; cut <= random.nextInt(4); cut++) {
        int at = random.nextInt(text.length());
        text.replace(at, Math.min(text.length(), at + random.nextInt(9)), "{}[]\":\\,x");
      }
      assertThat(read(text.toString())).as("seed %d, round %d", seed, i).isNotNull();
    }
    assertThat(read("[".repeat(50_000))).isInstanceOf(Malformed.class);
    assertThat(read("[]")).isInstanceOf(NotMine.class);
    assertThat(read("{}")).isInstanceOf(NotMine.class);
    assertThat(read("[{},{}]")).isInstanceOf(NotMine.class);
  }

  private Normalized read(String json) {
    return events.normalize(json, (provider, id) -> Optional.of("prod"), NOW);
  }

  private Map<String, CapacityNotice> notices(List<String> told) {
    return told.stream()
        .map(this::read)
        .flatMap(AwsCarriersTest::noticed)
        .collect(
            Collectors.toMap(
                CapacityNotice::noticeId,
                notice -> notice,
                (one, again) -> {
                  assertThat(again).isEqualTo(one);
                  return one;
                }));
  }

  private static Set<String> ids(List<Normalized> parts) {
    return parts.stream()
        .flatMap(AwsCarriersTest::noticed)
        .map(CapacityNotice::noticeId)
        .collect(Collectors.toCollection(java.util.LinkedHashSet::new));
  }

  private static Stream<CapacityNotice> noticed(Normalized read) {
    return read instanceof Notices found ? found.notices().stream() : Stream.empty();
  }

  private static List<UnaryOperator<String>> wrappers() {
    return List.of(
        AwsCarriersTest::quoted,
        AwsCarriersTest::sns,
        event -> "{\"MessageId\":\"m\",\"Body\":" + quoted(event) + "}",
        event -> "{\"body\":" + quoted(event) + ",\"eventSource\":\"aws:sqs\"}",
        event -> "{\"schema\":{\"type\":\"string\"},\"payload\":" + quoted(event) + "}",
        event -> "[" + event + "]");
  }

  private static String sns(String event) {
    return "{\"Type\":\"Notification\",\"MessageId\":\"m\",\"TopicArn\":\"arn:aws:sns:x\",\"Message\":"
        + quoted(event)
        + "}";
  }

  private static String quoted(String text) {
    return JSON.getNodeFactory().textNode(text).toString();
  }

  private static String warning(String id, String instance) {
    return event(
        id,
        "aws.ec2",
        "EC2 Spot Instance Interruption Warning",
        "{\"instance-id\":\"" + instance + "\",\"instance-action\":\"terminate\"}");
  }

  private static String event(String id, String source, String type, String detail) {
    return ("{\"version\":\"0\",\"id\":\"%s\",\"detail-type\":\"%s\",\"source\":\"%s\",\"account\":"
            + "\"210987654321\",\"time\":\"2026-11-30T08:15:42Z\",\"region\":\"us-east-2\","
            + "\"resources\":[],\"detail\":%s}")
        .formatted(id, type, source, detail);
  }
}
