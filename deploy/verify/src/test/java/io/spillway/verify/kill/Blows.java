package io.spillway.verify.kill;

import java.io.IOException;
import java.util.SplittableRandom;

/** One blow after another on a thread of its own, with pauses between, until it is stopped. */
final class Blows {
  private final Blow blow;
  private final SplittableRandom random;
  private final int pauseLeastMillis;
  private final int pauseMoreMillis;
  private Thread thread;
  private volatile boolean stopping;

  /** Something that befalls somebody; what it hits must survive it. */
  interface Blow {
    void fall() throws IOException, InterruptedException;
  }

  /**
   * @param random draws the pauses too; only from the blows' thread
   */
  Blows(Blow blow, SplittableRandom random, int pauseLeastMillis, int pauseMoreMillis) {
    this.blow = blow;
    this.random = random;
    this.pauseLeastMillis = pauseLeastMillis;
    this.pauseMoreMillis = pauseMoreMillis;
  }

  void start() {
    stopping = false;
    thread = Thread.ofVirtual().name("trouble").start(this::make);
  }

  /** Ends with the blow that is falling. */
  void stop() throws InterruptedException {
    stopping = true;
    thread.join();
  }

  private void make() {
    try {
      while (!stopping) {
        blow.fall();
        Pace.millis(pauseLeastMillis + random.nextInt(pauseMoreMillis));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (IOException e) {
      throw new IllegalStateException("what is struck must survive", e);
    }
  }
}
