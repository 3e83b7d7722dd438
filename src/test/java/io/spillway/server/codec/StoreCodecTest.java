package io.spillway.server.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.jsontype.NamedType;
import io.spillway.scheduler.event.Event;
import io.spillway.scheduler.event.MarketEvent;
import io.spillway.scheduler.input.Input;
import io.spillway.scheduler.input.Received;
import io.spillway.scheduler.lifecycle.Attempt;
import io.spillway.scheduler.lifecycle.AttemptState;
import io.spillway.scheduler.lifecycle.Job;
import io.spillway.scheduler.lifecycle.JobState;
import io.spillway.scheduler.model.BlockScope;
import io.spillway.scheduler.plan.Evaluation;
import io.spillway.scheduler.policy.PolicySet;
import io.spillway.scheduler.state.Memo;
import java.time.Instant;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class StoreCodecTest {
  private static final int VALUES = 60;
  private final StoreCodec codec = new StoreCodec();

  static Stream<Class<?>> everyCase() {
    return Stream.of(Event.class, Input.class, JobState.class, AttemptState.class)
        .flatMap(family -> SealedTypes.records(family).stream())
        .map(NamedType::getType);
  }

  @ParameterizedTest
  @MethodSource("everyCase")
  void every_case_of_a_sealed_type_is_read_back_as_it_was_written(Class<?> type) {
    Class<?> declared =
        Stream.of(Event.class, Input.class, JobState.class, AttemptState.class)
            .filter(family -> family.isAssignableFrom(type))
            .findFirst()
            .orElseThrow();
    long seed = System.nanoTime();
    RandomValues values = new RandomValues(new SplittableRandom(seed));
    for (int i = 0; i < VALUES; i++) {
      same(declared, values.of(type), seed);
    }
  }

  @ParameterizedTest
  @MethodSource("stored")
  void every_stored_record_is_read_back_as_it_was_written(Class<?> type) {
    long seed = System.nanoTime();
    RandomValues values = new RandomValues(new SplittableRandom(seed));
    for (int i = 0; i < VALUES; i++) {
      same(type, values.of(type), seed);
    }
  }

  static Stream<Class<?>> stored() {
    return Stream.of(
        Job.class, Attempt.class, PolicySet.class, Evaluation.class, Received.class, Memo.class);
  }

  @Test
  void names_of_cases_are_unique_within_each_sealed_type() {
    for (Class<?> family : List.of(Event.class, Input.class, JobState.class, AttemptState.class)) {
      assertThat(SealedTypes.records(family).stream().map(NamedType::getName))
          .as(family.getSimpleName())
          .doesNotHaveDuplicates();
    }
  }

  @Test
  void a_record_of_a_format_that_is_too_new_or_too_old_is_refused_by_number() {
    assertThatThrownBy(() -> codec.events(StoreCodec.FORMAT + 1, "[]"))
        .isInstanceOf(UnreadableRecord.class)
        .hasMessageContaining("format " + (StoreCodec.FORMAT + 1));
    assertThatThrownBy(() -> codec.events(StoreCodec.FORMAT - 2, "[]"))
        .isInstanceOf(UnreadableRecord.class);
  }

  @Test
  void an_unknown_component_or_type_is_refused_and_not_passed_over() {
    assertThatThrownBy(
            () -> codec.inputs(StoreCodec.FORMAT, "[{\"@\":\"RecoveryEnded\",\"more\":1}]"))
        .isInstanceOf(UnreadableRecord.class);
    assertThatThrownBy(() -> codec.inputs(StoreCodec.FORMAT, "[{\"@\":\"java.lang.Runtime\"}]"))
        .isInstanceOf(UnreadableRecord.class);
  }

  @Test
  void a_block_of_format_1_is_read_as_what_it_meant_reservations_included() {
    String stored =
        "[{\"@\":\"BlockLifted\",\"scope\":{\"provider\":\"oci\",\"account\":\"prod\","
            + "\"region\":\"eu-frankfurt-1\"},\"at\":\"2026-01-02T03:04:05Z\"}]";

    assertThat(codec.events(1, stored))
        .singleElement()
        .isInstanceOfSatisfying(
            MarketEvent.BlockLifted.class,
            lifted ->
                assertThat(lifted.scope().reserved()).isEqualTo(BlockScope.Reserved.INCLUDED));
  }

  @Test
  void times_are_text_and_names_are_plain() {
    String text =
        codec.write(
            JobState.class,
            new JobState.Held(
                Instant.parse("2026-01-02T03:04:05.000000006Z"),
                io.spillway.scheduler.lifecycle.Reason.USER_HELD));
    assertThat(text)
        .isEqualTo(
            "{\"@\":\"Held\",\"since\":\"2026-01-02T03:04:05.000000006Z\",\"reason\":\"USER_HELD\"}");
  }

  @SuppressWarnings("unchecked")
  private void same(Class<?> declared, Object value, long seed) {
    String text = codec.write((Class<Object>) declared, value);
    Object read = codec.read(StoreCodec.FORMAT, text, declared);
    assertThat(read).as("seed %d: %s", seed, text).isEqualTo(value);
    // The digest is taken of this text.
    assertThat(read).as("seed %d: %s", seed, text).hasToString(value.toString());
  }
}
