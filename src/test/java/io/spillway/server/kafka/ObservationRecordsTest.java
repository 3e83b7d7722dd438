package io.spillway.server.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.spillway.scheduler.input.MarketInput.ObservationChanged;
import io.spillway.scheduler.market.Observation;
import io.spillway.scheduler.model.Trust;
import io.spillway.server.events.EventInputs;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class ObservationRecordsTest {
  private static final Instant NOW = Instant.parse("2026-11-30T10:00:00Z");
  private static final String GOOD =
      """
      {"provider":"nebius","account":"prod","region":"eu-north1","instanceType":"h100",
       "capacityType":"spot","gpu":"nvidia-h100-80gb","gpus":8,"usdPerGpuHour":"1.25",
       "availability":"available","trust":"offered","later":"field"}
      """;

  @Test
  void an_observation_from_elsewhere_becomes_one_of_ours() {
    Observation seen = observation(read(GOOD));

    assertThat(seen.key().zone()).isEqualTo("eu-north1");
    assertThat(seen.price().orElseThrow().micros()).isEqualTo(1_250_000);
    assertThat(seen.trust()).isEqualTo(Trust.OFFERED);
    assertThat(seen.availability()).isEqualTo(Observation.Availability.AVAILABLE);
    assertThat(seen.observedAt()).isEqualTo(NOW);
  }

  @Test
  void KAR_05_no_price_is_not_a_price_of_zero() {
    assertThat(observation(read(GOOD.replace("\"usdPerGpuHour\":\"1.25\",", ""))).price())
        .isEmpty();
  }

  @Test
  void a_broken_record_says_what_is_wrong_with_it() {
    assertThat(read(GOOD.replace("\"nebius\"", "\"\"")).problem())
        .contains("field 'provider' is missing");
    assertThat(read(GOOD.replace("nvidia-h100-80gb", "nvidia-h100")).problem().orElseThrow())
        .contains("nearest");
    assertThat(read(GOOD.replace("1.25", "cheap")).problem().orElseThrow()).contains("cheap");
    assertThat(read("[]").problem()).isPresent();
    assertThat(read("null").problem()).isPresent();
    assertThat(read(GOOD.replace("1.25", "1e2147483647")).problem()).isPresent();
  }

  @Test
  void a_time_that_cannot_be_is_not_believed() {
    for (String member : new String[] {"priceAt", "observedAt"}) {
      for (String time :
          new String[] {Instant.MAX.toString(), Instant.MIN.toString(), "2126-11-30T10:00:00Z"}) {
        String json = GOOD.replace("\"later\"", "\"" + member + "\":\"" + time + "\",\"later\"");
        assertThat(read(json).problem()).as(json).isPresent();
        assertThat(read(json).inputs()).isEmpty();
      }
    }
  }

  private static EventInputs read(String json) {
    return new ObservationRecords().read(json, NOW);
  }

  private static Observation observation(EventInputs read) {
    assertThat(read.problem()).isEmpty();
    return ((ObservationChanged) read.inputs().getFirst()).observation();
  }
}
