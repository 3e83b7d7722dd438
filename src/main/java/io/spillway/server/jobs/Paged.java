package io.spillway.server.jobs;

import java.util.List;
import java.util.Optional;

/**
 * A page of a list.
 *
 * @param nextCursor for the next page; null on the last
 */
public record Paged<T>(List<T> items, Optional<String> nextCursor) {
  public Paged {
    items = List.copyOf(items);
  }
}
