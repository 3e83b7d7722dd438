package io.spillway.verify.real;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SelectorsTest {
  @Test
  void selectors_are_found_in_the_projects_kinds_of_expressions() {
    assertThat(Selectors.of("sum by (queue, state) (spillway_queue_jobs)"))
        .containsExactly("spillway_queue_jobs");
    assertThat(Selectors.of("histogram_quantile(0.5, sum by (le) (rate(a_seconds_bucket[5m])))"))
        .containsExactly("a_seconds_bucket");
    assertThat(Selectors.of("time() - max by (cluster) (seen{area=\"heap\"}) > 6 * 3600"))
        .containsExactly("seen{area=\"heap\"}");
    assertThat(Selectors.of("sum(a_total) / (sum(a_total) + sum(b_total))"))
        .containsExactly("a_total", "a_total", "b_total");
    assertThat(Selectors.of("sum by (topic) (increase(dead_total[10m])) > 1e3"))
        .containsExactly("dead_total");
  }

  @Test
  void grouped_labels_and_names_are_found() {
    assertThat(Selectors.grouped("sum by (le, kind) (rate(f_bucket[5m]))"))
        .containsExactly("kind", "le");
    assertThat(Selectors.metric("a_seconds_bucket{x=\"y\"}")).isEqualTo("a_seconds");
  }
}
