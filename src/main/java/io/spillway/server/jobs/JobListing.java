package io.spillway.server.jobs;

import java.util.List;
import java.util.Optional;

/** The parameters of {@code GET /jobs} as they came. */
public record JobListing(
    List<String> queues,
    List<String> states,
    List<String> labels,
    int limit,
    Optional<String> cursor) {
  public JobListing {
    queues = List.copyOf(queues);
    states = List.copyOf(states);
    labels = List.copyOf(labels);
  }
}
