package io.spillway.server.events;

import static org.assertj.core.api.Assertions.assertThat;

import io.quarkus.test.junit.QuarkusTest;
import io.spillway.capacity.spi.EventNormalizer.Malformed;
import io.spillway.capacity.spi.EventNormalizer.Notices;
import jakarta.inject.Inject;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;

@QuarkusTest
class EventReaderTest {
  private static final Instant AT = Instant.parse("2026-11-30T12:00:00Z");

  @Inject EventReader reader;

  @Test
  void an_interruption_without_its_time_has_the_usual_notice_of_its_provider_if_there_is_one() {
    assertThat(deadline("gcp", "")).contains(AT.plusSeconds(30));
    assertThat(deadline("gcp", ", \"deadline\": \"2026-11-30T12:00:20Z\""))
        .contains(AT.plusSeconds(20));
    assertThat(deadline("vast", "")).as("nothing is promised").isEmpty();
    assertThat(deadline("nobody", "")).isEmpty();
  }

  @Test
  void an_event_of_a_time_that_no_calculation_bears_is_malformed() {
    for (Instant time : new Instant[] {Instant.MIN, Instant.MAX}) {
      String deadline = ", \"deadline\": \"" + time + "\"";
      assertThat(reader.read(interruption("gcp", deadline), AT)).isInstanceOf(Malformed.class);
      String emitted =
          interruption("gcp", "").replace("\"2026-11-30T12:00:00Z\"", "\"" + time + "\"");
      assertThat(reader.read(emitted, AT)).isInstanceOf(Malformed.class);
      String failure =
          """
          {"specversion": "1.0", "id": "f-1", "source": "/made/up",
           "type": "io.spillway.capacity.failure", "time": "%s",
           "data": {"provider": "gcp", "account": "prod", "region": "r", "instanceType": "t",
                    "capacityType": "spot", "code": "ZONE_RESOURCE_POOL_EXHAUSTED"}}
          """
              .formatted(time);
      assertThat(reader.read(failure, AT)).isInstanceOf(Malformed.class);
    }
  }

  private Optional<Instant> deadline(String provider, String more) {
    return ((Notices) reader.read(interruption(provider, more), AT))
        .notices()
        .getFirst()
        .deadline();
  }

  private static String interruption(String provider, String more) {
    return """
    {"specversion": "1.0", "id": "n-1", "source": "/made/up",
     "type": "io.spillway.capacity.interruption", "time": "2026-11-30T12:00:00Z",
     "data": {"provider": "%s", "account": "prod", "region": "r", "instances": ["i-1"]%s}}
    """
        .formatted(provider, more);
  }
}
