package io.spillway.server.sse;

import java.util.Comparator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A place in the journal: the row and the event in it. Also the id of a stream's event.
 *
 * @param seq of the row
 * @param index of the event in the row, from 0
 */
public record FeedPosition(long seq, int index) implements Comparable<FeedPosition> {
  /** Before everything. */
  public static final FeedPosition START = new FeedPosition(0, Integer.MAX_VALUE);

  private static final Pattern FORM = Pattern.compile("(\\d{1,18})\\.(\\d{1,10})");
  private static final Comparator<FeedPosition> ORDER =
      Comparator.comparingLong(FeedPosition::seq).thenComparingInt(FeedPosition::index);

  /** After all events of that row. */
  public static FeedPosition afterRow(long seq) {
    return new FeedPosition(seq, Integer.MAX_VALUE);
  }

  /**
   * @throws IllegalArgumentException if it is not {@code <seq>.<index>}
   */
  public static FeedPosition parse(String text) {
    Matcher parts = FORM.matcher(text);
    if (!parts.matches()) {
      throw new IllegalArgumentException("must be an event's id, such as 1234.0");
    }
    return new FeedPosition(Long.parseLong(parts.group(1)), Integer.parseInt(parts.group(2)));
  }

  @Override
  public int compareTo(FeedPosition other) {
    return ORDER.compare(this, other);
  }

  @Override
  public String toString() {
    return seq + "." + index;
  }
}
