package io.spillway.agent.kube;

import io.spillway.agent.time.Timeline;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Semaphore;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.logging.Level;
import java.util.logging.Logger;

/**
 * Calls to the API server, off the timeline. What has the same key runs one after the other, in
 * order; different keys run side by side, a few at a time. A call that finds no API server is made
 * again, with a growing pause, for as long as this replica is the one that acts. Methods only from
 * the timeline.
 */
public final class Lanes {
  private static final Logger LOG = Logger.getLogger(Lanes.class.getName());
  private static final Duration FIRST_PAUSE = Duration.ofMillis(250);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(15);

  private final Timeline timeline;
  private final BooleanSupplier mayAct;
  private final Semaphore slots;
  private final Map<String, Deque<Runnable>> lanes = new HashMap<>();
  private volatile boolean closed;

  /** A call; may block. */
  @FunctionalInterface
  public interface Call<R> {
    R make() throws ClusterAwayException;
  }

  /**
   * @param mayAct asked before each call, on its thread: whether this replica still leads
   */
  public Lanes(Timeline timeline, BooleanSupplier mayAct, int parallel) {
    this.timeline = timeline;
    this.mayAct = mayAct;
    this.slots = new Semaphore(parallel);
  }

  /**
   * Makes the call behind those of the same key.
   *
   * @param then gets its result, on the timeline
   */
  public <R> void call(String key, Call<R> call, Consumer<R> then) {
    Deque<Runnable> lane = lanes.computeIfAbsent(key, k -> new ArrayDeque<>());
    lane.add(() -> attempt(key, call, then, FIRST_PAUSE));
    if (lane.size() == 1) {
      lane.peek().run();
    }
  }

  /** Whether this replica still leads: for a call that is made of many. From any thread. */
  public boolean mayAct() {
    return !closed && mayAct.getAsBoolean();
  }

  /** No further call is made and no result told. */
  public void close() {
    closed = true;
  }

  private <R> void attempt(String key, Call<R> call, Consumer<R> then, Duration pause) {
    if (closed) {
      return;
    }
    Thread.ofVirtual()
        .name("lane-" + key)
        .start(
            () -> {
              slots.acquireUninterruptibly();
              try {
                if (closed) {
                  return;
                }
                if (!mayAct.getAsBoolean()) {
                  throw new ClusterAwayException("this replica does not lead now", null);
                }
                R result = call.make();
                onTimeline(
                    () -> {
                      finished(key);
                      then.accept(result);
                    });
              } catch (ClusterAwayException e) {
                Level level = pause.equals(LONGEST_PAUSE) ? Level.WARNING : Level.FINE;
                LOG.log(level, () -> "tried again in " + pause + ": " + e.getMessage());
                Duration next = pause.multipliedBy(2);
                var _ =
                    timeline.after(
                        pause,
                        () ->
                            attempt(
                                key,
                                call,
                                then,
                                next.compareTo(LONGEST_PAUSE) > 0 ? LONGEST_PAUSE : next));
              } catch (RuntimeException bug) {
                onTimeline(
                    () -> {
                      throw bug;
                    });
              } finally {
                slots.release();
              }
            });
  }

  private void onTimeline(Runnable task) {
    timeline.execute(
        () -> {
          if (!closed) {
            task.run();
          }
        });
  }

  private void finished(String key) {
    Deque<Runnable> lane = lanes.get(key);
    lane.remove();
    if (lane.isEmpty()) {
      lanes.remove(key);
    } else {
      lane.peek().run();
    }
  }
}
