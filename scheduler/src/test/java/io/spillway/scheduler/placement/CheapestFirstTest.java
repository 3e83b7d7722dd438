package io.spillway.scheduler.placement;

import static io.spillway.scheduler.model.CapacityType.ON_DEMAND;
import static io.spillway.scheduler.model.CapacityType.SPOT;
import static org.assertj.core.api.Assertions.assertThat;

import io.spillway.scheduler.event.MarketEvent;
import java.util.List;
import org.junit.jupiter.api.Test;

class CheapestFirstTest {
  private final World world = new World();

  @Test
  void a_job_goes_to_the_cheapest_spot_and_the_next_to_the_second_cheapest() {
    world.policies(
        Given.policies(
            List.of(Given.queue(Given.RESEARCH, Given.rung("spot", SPOT))),
            List.of(Given.cluster("east", Given.capacity(8, List.of("a", "b"), SPOT, ON_DEMAND))),
            List.of()));
    world.cycle(
        new MarketEvent.ObservationAdopted(Given.priced(Given.key("a", SPOT), "2.10", world.now())),
        new MarketEvent.ObservationAdopted(
            Given.priced(Given.key("b", SPOT), "1.90", world.now())));

    world.submit("first", Given.job());
    world.submit("second", Given.job());
    world.submit("third", Given.job());

    assertThat(world.placeText("first")).isEqualTo("east~b~p5.48xlarge~spot");
    assertThat(world.placeText("second")).isEqualTo("east~a~p5.48xlarge~spot");
    assertThat(world.placeText("third")).isEqualTo("waits");
    assertThat(world.parked("third").orElseThrow().causes())
        .anySatisfy(cause -> assertThat(cause.kind().name()).isEqualTo("LAUNCH_BUDGET"));

    world.cycle(world.runs("first"));

    assertThat(world.placeText("third")).isEqualTo("east~b~p5.48xlarge~spot");
  }
}
