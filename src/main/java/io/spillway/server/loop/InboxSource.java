package io.spillway.server.loop;

import io.spillway.scheduler.input.Inputs;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/** Where the leader takes inputs from. Called by the loop's thread; may block for the store. */
public interface InboxSource {

  /**
   * What lies beyond the committed cursors: notices first, at most {@link Inputs#MAX} inputs (one
   * row may hold more). A command for a job that is submitted but not taken yet waits, and what its
   * writer wrote after it.
   */
  Taken take();

  /**
   * A take.
   *
   * @param cursors writer → number of its last row taken; moved in the commit
   * @param more whether there was more than one take holds
   */
  record Taken(Inputs inputs, Map<String, Long> cursors, boolean more) {
    public static final Taken NOTHING = new Taken(Inputs.NONE, Map.of(), false);

    public Taken {
      cursors = Collections.unmodifiableMap(new TreeMap<>(cursors));
    }
  }
}
