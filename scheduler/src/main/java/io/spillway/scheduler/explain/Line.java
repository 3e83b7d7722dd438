package io.spillway.scheduler.explain;

/**
 * How many waiting jobs go before one.
 *
 * @param ahead exact to {@value #EXACT}, beyond it rounded down to hundreds
 * @param exact false for "about"
 */
public record Line(int ahead, boolean exact) {
  /** Beyond it nobody counts. */
  public static final int EXACT = 1_000;

  /** Jobs ahead that are named. */
  public static final int NAMED = 10;

  static Line of(int counted) {
    return counted <= EXACT ? new Line(counted, true) : new Line(counted / 100 * 100, false);
  }
}
