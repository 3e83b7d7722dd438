package io.spillway.capacity.nebius;

import static org.assertj.core.api.Assertions.assertThat;

import io.spillway.capacity.spi.EventNormalizer.Irrelevant;
import io.spillway.capacity.spi.EventNormalizer.Malformed;
import io.spillway.capacity.spi.EventNormalizer.Normalized;
import io.spillway.capacity.spi.EventNormalizer.NotMine;
import io.spillway.capacity.spi.EventNormalizer.Notices;
import io.spillway.scheduler.market.CapacityNotice;
import io.spillway.scheduler.market.CapacityNotice.Kind;
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

class NebiusEventsTest {
  private static final Instant RECEIVED = Instant.parse("2026-11-30T08:15:45Z");

  private static final String TERM =
      """
      {"source": "nebius", "type": "preemption", "instance": "computeinstance-e00abc",
       "account": "tenant-x", "region": "eu-north1", "time": "2026-11-30T08:15:42Z"}
      """;

  private static final String STOPPED =
      """
      {"account": "tenant-x", "region": "eu-north1", "object":
        {"metadata": {"id": "computeinstance-e00abc", "parent_id": "project-y",
                      "updated_at": "2026-11-30T08:15:00Z"},
         "spec": {"preemptible": {"priority": 1}}, "status": {"state": "STOPPED"}}}
      """;

  @Test
  void a_forwarded_sigterm_is_an_interruption_a_minute_ahead() {
    CapacityNotice notice = ((Notices) normalize(TERM)).notices().getFirst();

    assertThat(notice.kind()).isEqualTo(Kind.INTERRUPTION);
    assertThat(notice.account()).isEqualTo("prod");
    assertThat(notice.region()).isEqualTo("eu-north1");
    assertThat(notice.instances()).containsExactly("computeinstance-e00abc");
    assertThat(notice.deadline()).contains(Instant.parse("2026-11-30T08:16:42Z"));
  }

  @Test
  void a_clock_that_is_ahead_brings_no_notice_from_the_future() {
    CapacityNotice notice =
        ((Notices) normalize(TERM.replace("08:15:42", "09:15:42"))).notices().getFirst();

    assertThat(notice.noticedAt()).isEqualTo(RECEIVED);
    assertThat(notice.deadline()).contains(RECEIVED.plusSeconds(60));
  }

  @Test
  void a_machine_that_stopped_is_a_loss_and_one_that_runs_is_nothing() {
    for (String state : new String[] {"STOPPED", "STOPPING", "DELETING", "ERROR"}) {
      CapacityNotice notice =
          ((Notices) normalize(STOPPED.replace("STOPPED", state))).notices().getFirst();
      assertThat(notice.kind()).isEqualTo(Kind.LOSS);
      assertThat(notice.noticedAt()).isEqualTo(Instant.parse("2026-11-30T08:15:00Z"));
    }
    assertThat(normalize(STOPPED.replace("STOPPED", "RUNNING"))).isInstanceOf(Irrelevant.class);
    assertThat(normalize(STOPPED.replace("STOPPED", "LOST")))
        .isEqualTo(new Malformed("state 'LOST' is not known"));
  }

  @Test
  void wrapped_doubled_and_shuffled_notices_are_the_same_notices() {
    long seed = 20_261_130L;
    List<String> messages = new ArrayList<>();
    Set<String> expected = new HashSet<>();
    for (int i = 0; i < 50; i++) {
      String one = TERM.replace("e00abc", "e" + i);
      String quoted = '"' + one.replace("\"", "\\\"").replace("\n", "\\n") + '"';
      messages.addAll(List.of(one, "{\"Message\":" + quoted + "}", quoted));
      expected.add("nebius:computeinstance-e" + i + ":INTERRUPTION:1796026542");
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
    assertThat(normalize("{\"source\":\"aws.ec2\"}")).isInstanceOf(NotMine.class);
    assertThat(normalize(TERM.replace("preemption", "birthday")))
        .isEqualTo(new Malformed("type 'birthday' is not known"));
    for (String field : new String[] {"instance", "account", "region"}) {
      assertThat(normalize(TERM.replace('"' + field + '"', "\"other\"")))
          .as(field)
          .isInstanceOf(Malformed.class);
    }
    assertThat(normalize(TERM.replace("2026-11-30T08:15:42Z", "now")))
        .isEqualTo(new Malformed("field 'time' is no time"));
    assertThat(normalize("{")).isInstanceOf(Malformed.class);
  }

  @Test
  void torn_and_twisted_events_never_break_the_reader() {
    long seed = new Random().nextLong();
    Random random = new Random(seed);
    for (int i = 0; i < 3_000; i++) {
      String event = List.of(TERM, STOPPED).get(random.nextInt(2));
      int from = random.nextInt(event.length());
      int to = Math.min(event.length(), from + random.nextInt(12));
      String twisted =
          event.substring(0, from) + "0{\"[}],:x".charAt(random.nextInt(9)) + event.substring(to);
      assertThat(normalize(twisted)).as("seed %d: %s", seed, twisted).isNotNull();
    }
  }

  @Test
  void how_long_nebius_warns_can_be_told() {
    Normalized told =
        new NebiusProvider()
            .with(Map.of("spot-notice", Duration.ofSeconds(20)))
            .normalizer()
            .normalize(TERM, (provider, id) -> Optional.empty(), RECEIVED);

    assertThat(((Notices) told).notices().getFirst().deadline())
        .contains(Instant.parse("2026-11-30T08:16:02Z"));
  }

  private static Normalized normalize(String json) {
    return new NebiusProvider()
        .normalizer()
        .normalize(
            json,
            (provider, id) -> id.equals("tenant-x") ? Optional.of("prod") : Optional.empty(),
            RECEIVED);
  }
}
