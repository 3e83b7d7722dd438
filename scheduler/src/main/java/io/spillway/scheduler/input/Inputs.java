package io.spillway.scheduler.input;

import java.util.List;

/** What one cycle took, in the order of lanes, at most {@value #MAX} inputs. */
public record Inputs(List<Received> received) {
  /** A take holds at most this many inputs. */
  public static final int MAX = 2_000;

  public static final Inputs NONE = new Inputs(List.of());

  public Inputs {
    received = List.copyOf(received);
  }
}
