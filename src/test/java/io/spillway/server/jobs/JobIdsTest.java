package io.spillway.server.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import io.spillway.scheduler.model.JobId;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class JobIdsTest {

  @Test
  void ids_rise_strictly_even_within_a_millisecond() {
    JobIds ids = new JobIds();
    List<JobId> made = new ArrayList<>();
    for (int i = 0; i < 20_000; i++) {
      made.add(ids.next());
    }
    assertThat(made).isSorted().doesNotHaveDuplicates();
    assertThat(made.getFirst().value()).startsWith("0");
  }
}
