package io.spillway.agent.memory;

import io.spillway.agent.kube.ClusterAwayException;
import java.time.Instant;
import java.util.Map;
import java.util.OptionalLong;

/**
 * How often an agent of this cluster took the lead, and the newest store that one heard of. Blocks.
 */
public final class Starts {
  private static final String EPOCH = "agent-epoch";
  private static final String GENERATION = "store-generation";
  private static final String HEAD = "store-head";
  private static final String TOLD = "told-until";

  private final MemoryMap maps;

  public Starts(MemoryMap maps) {
    this.maps = maps;
  }

  /**
   * A start, as {@code Hello} tells it.
   *
   * @param epoch higher than that of every start before
   * @param generation the store's that was heard of last; empty at first
   * @param toldUntil all that ended before is known to the control plane; seconds since 1970
   */
  public record Start(long epoch, String generation, long head, long toldUntil) {}

  /**
   * Counts a start. Whoever lost the map must not begin at 1 again, for the control plane turns
   * away what is older than what it knows; so the first count is the time in seconds, which no
   * number of starts has reached by then.
   */
  public Start count(Instant now) throws ClusterAwayException {
    Map<String, String> data =
        maps.change(
            "",
            known -> {
              long last = number(known, EPOCH);
              known.put(EPOCH, Long.toString(last == 0 ? now.getEpochSecond() : last + 1));
              return known;
            });
    return new Start(
        number(data, EPOCH),
        data.getOrDefault(GENERATION, ""),
        number(data, HEAD),
        number(data, TOLD));
  }

  /**
   * Keeps the highest head of a store; another store begins anew.
   *
   * @param toldUntil empty: as it was
   */
  public boolean heard(String generation, long head, OptionalLong toldUntil)
      throws ClusterAwayException {
    maps.change(
        "",
        known -> {
          boolean same = generation.equals(known.get(GENERATION));
          if (!same || head > number(known, HEAD)) {
            known.put(GENERATION, generation);
            known.put(HEAD, Long.toString(head));
          }
          toldUntil.ifPresent(seconds -> known.put(TOLD, Long.toString(seconds)));
          return known;
        });
    return true;
  }

  private static long number(Map<String, String> data, String key) {
    String text = data.getOrDefault(key, "0");
    return text.matches("\\d{1,18}") ? Long.parseLong(text) : 0;
  }
}
