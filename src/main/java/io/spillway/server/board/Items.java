package io.spillway.server.board;

import java.util.List;

/** A whole list. */
public record Items<T>(List<T> items) {
  public Items {
    items = List.copyOf(items);
  }
}
