package io.spillway.scheduler.story;

import static org.assertj.core.api.Assertions.assertThat;

import io.spillway.scheduler.input.CommandInput.JobVerb;
import io.spillway.scheduler.input.Input;
import io.spillway.scheduler.input.MarketInput;
import io.spillway.scheduler.market.CapacityNotice;
import io.spillway.scheduler.model.BlockScope;
import io.spillway.scheduler.model.CapacityFailure;
import io.spillway.scheduler.model.FailureClass;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Random operations and faults, then quiet. Every round recounts all invariants and restores the
 * state; at the end nothing may be left. The seed is in the test's name.
 */
class ChaosTest {
  private static final int WILD_ROUNDS = 220;
  private static final int CALM_ROUNDS = 600;

  private final World world = World.of(Land.usual());
  private final List<String> names = new ArrayList<>();
  private int told;

  @ParameterizedTest(name = "F8 seed {0}")
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12})
  void YUN_10_KUE_01_after_any_disorder_and_then_quiet_nothing_is_held_and_every_job_ended(
      long seed) {
    Random chance = new Random(seed);
    List<Cloud> clouds = List.of(new Cloud(Land.OHIO, chance), new Cloud(Land.METAL, chance));
    for (int i = 0; i < WILD_ROUNDS; i++) {
      world.later(Duration.ofSeconds(chance.nextInt(20)));
      disturb(chance, clouds);
      List<Input> inputs = wild(chance, clouds);
      turn(clouds, inputs, false);
    }
    clouds.forEach(Cloud::connect);
    for (int i = 0; i < CALM_ROUNDS && !isOver(clouds); i++) {
      world.later(Duration.ofSeconds(15));
      List<Input> inputs = new ArrayList<>();
      if (i % 8 == 0) {
        clouds.forEach(Cloud::sweep);
        inputs.addAll(List.of(world.prices()));
        names.forEach(name -> inputs.add(world.command(name, JobVerb.RELEASE)));
      }
      turn(clouds, inputs, true);
    }
    assertThat(world.state().jobs()).isEmpty();
    assertThat(world.state().attempts()).isEmpty();
    assertThat(world.state().usage().offerings()).isEmpty();
    assertThat(clouds).allSatisfy(cloud -> assertThat(cloud.running()).isEmpty());
    assertThat(names).allSatisfy(name -> assertThat(world.job(name).state().isTerminal()).isTrue());
  }

  private void turn(List<Cloud> clouds, List<Input> more, boolean calm) {
    List<Input> inputs = new ArrayList<>(more);
    clouds.forEach(cloud -> inputs.addAll(cloud.deliver(calm)));
    world.round(inputs);
    clouds.forEach(cloud -> cloud.obey(world));
    assertThat(Cloud.overlap(world, clouds)).isEmpty();
    clouds.forEach(cloud -> cloud.live(calm));
  }

  private boolean isOver(List<Cloud> clouds) {
    return world.state().jobs().isEmpty()
        && world.state().attempts().isEmpty()
        && clouds.stream().allMatch(cloud -> cloud.running().isEmpty());
  }

  private void disturb(Random chance, List<Cloud> clouds) {
    Cloud cloud = clouds.get(chance.nextInt(clouds.size()));
    switch (chance.nextInt(20)) {
      case 0 -> world.restart();
      case 1 -> world.later(Duration.ofMinutes(chance.nextInt(12)));
      case 2 -> cloud.disconnect();
      case 3, 4, 5 -> cloud.connect();
      case 6, 7 -> cloud.sweep();
      default -> {}
    }
  }

  private List<Input> wild(Random chance, List<Cloud> clouds) {
    List<Input> inputs = new ArrayList<>();
    if (chance.nextInt(3) == 0) {
      String name = "job" + names.size();
      names.add(name);
      inputs.add(world.submit(name, Land.gang(1 + chance.nextInt(3))));
    }
    if (!names.isEmpty() && chance.nextInt(6) == 0) {
      String name = names.get(chance.nextInt(names.size()));
      JobVerb[] verbs = JobVerb.values();
      inputs.add(world.command(name, verbs[chance.nextInt(verbs.length)]));
    }
    if (chance.nextInt(12) == 0) {
      inputs.add(
          new MarketInput.FailureObserved(
              new CapacityFailure(
                  FailureClass.NO_CAPACITY,
                  BlockScope.of(Land.key(chance.nextBoolean() ? Land.CHEAP : Land.DEAR)),
                  Duration.ofMinutes(2),
                  "full",
                  world.now().minusSeconds(chance.nextInt(300)))));
    }
    if (chance.nextInt(5) == 0) {
      inputs.addAll(List.of(world.prices()));
    }
    List<String> instances = clouds.getFirst().instances();
    if (!instances.isEmpty() && chance.nextInt(4) == 0) {
      inputs.add(notice(chance, clouds.getFirst(), instances));
    }
    return inputs;
  }

  private Input notice(Random chance, Cloud cloud, List<String> instances) {
    String instance = instances.get(chance.nextInt(instances.size()));
    CapacityNotice.Kind[] kinds = CapacityNotice.Kind.values();
    CapacityNotice.Kind kind = kinds[chance.nextInt(kinds.length)];
    if (kind == CapacityNotice.Kind.LOSS) {
      cloud.lose(instance);
    }
    return new MarketInput.NoticeReceived(
        new CapacityNotice(
            "n" + (chance.nextInt(4) == 0 ? told : ++told),
            "aws",
            "prod",
            "here",
            kind,
            List.of(instance),
            Optional.empty(),
            world.now(),
            Optional.of(world.now().plusSeconds(chance.nextInt(200)))));
  }
}
