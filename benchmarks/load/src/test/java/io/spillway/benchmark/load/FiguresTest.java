package io.spillway.benchmark.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.spillway.benchmark.load.RangeSpec.Judgement;
import java.io.IOException;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class FiguresTest {
  @Test
  void a_quantile_is_the_value_that_its_share_does_not_exceed() {
    Sample sample = Sample.of(LongStream.rangeClosed(1, 200).boxed().toList());

    assertThat(sample.quantile(0.5)).isEqualTo(100);
    assertThat(sample.quantile(0.99)).isEqualTo(198);
    assertThat(Sample.of(List.<Long>of()).quantile(0.5)).isNaN();
  }

  @Test
  void a_histogram_between_two_readings_tells_its_quantiles() {
    Buckets before =
        Buckets.read(
            """
            t_bucket{le="0.1"} 5.0
            t_bucket{le="0.2"} 5.0
            t_bucket{le="+Inf"} 5.0
            """,
            "t");
    Buckets after =
        Buckets.read(
            """
            # HELP t times
            t_bucket{le="0.1"} 5.0
            t_bucket{le="0.2"} 105.0
            t_bucket{le="+Inf"} 105.0
            other_bucket{le="0.1"} 9.0
            """,
            "t");

    assertThat(after.since(before).count()).isEqualTo(100);
    assertThat(after.since(before).quantileMillis(0.5)).isCloseTo(150, within(0.1));
  }

  @Test
  void a_figure_is_met_missed_or_broken() {
    RangeSpec spec = RangeSpec.of("# why\na | <= 10 | <= 20\nb | >= 5 | -\n");

    assertThat(spec.judge(Figure.count("a", 10))).isEqualTo(Judgement.MET);
    assertThat(spec.judge(Figure.count("a", 11))).isEqualTo(Judgement.MISSED);
    assertThat(spec.judge(Figure.count("a", 21))).isEqualTo(Judgement.BROKEN);
    assertThat(spec.judge(Figure.count("b", 4))).isEqualTo(Judgement.MISSED);
    assertThat(spec.judge(Figure.count("c", 4))).isEqualTo(Judgement.NONE);
  }

  @Test
  void a_range_that_cannot_be_read_is_refused_with_its_words() {
    assertThatThrownBy(() -> RangeSpec.of("a | about 7 | -"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("about 7");
  }

  @Test
  void the_shipped_ranges_can_be_read() throws IOException {
    assertThat(RangeSpec.load().aim(Figure.count("kueue.all_finished", 1))).contains("<= 85");
  }

  @Test
  void the_news_of_a_placement_ends_the_wait_for_admission() {
    JobEvent placed =
        JobEvent.read(
            "01J",
            1_050,
            "{\"specversion\":\"1.0\",\"id\":\"7-1\",\"type\":\"io.spillway.job.attempt.placed\","
                + "\"time\":\"2026-11-30T10:00:00.5Z\",\"data\":{}}");
    Course course = new Course("small");
    course.submittedAt = 1_000;

    course.heard(placed);

    assertThat(placed.type()).isEqualTo("attempt.placed");
    assertThat(placed.decidedAt()).hasToString("2026-11-30T10:00:00.500Z");
    assertThat(course.admissionMillis()).isEqualTo(50);
    assertThat(course.wholeMillis()).isEqualTo(-1);
  }
}
