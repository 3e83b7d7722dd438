package io.spillway.scheduler.cycle;

import io.spillway.scheduler.market.PriceAge;
import io.spillway.scheduler.model.FailureClass;
import java.time.Duration;

/**
 * Every constant of the core that is not a policy's, each with its source. A change of one changes
 * decisions: {@code replay} will name the first cycle that differs.
 *
 * @param text what {@link SchedulerCore#version()} adds for settings that are not the default
 * @param drain limits of notices and drains
 * @param silence limits of clusters' silence
 * @param blocks limits of what keeps an offering out: blocks, exclusions, old prices
 * @param maxTimers timers worked off in a cycle; semantics §16 asks at most 1,000 after a forward
 *     jump, and below that the rest is due in the next cycle at once
 * @param maxBackoff longest wait between two attempts (policy contract: 1 h)
 * @param audit between two audits, and the age after which a difference counts (semantics §3)
 */
public record CoreSettings(
    String text,
    Drain drain,
    Silence silence,
    Blocks blocks,
    int maxTimers,
    Duration maxBackoff,
    Duration audit) {

  /** The defaults. */
  public static final CoreSettings DEFAULT =
      new CoreSettings(
          "",
          Drain.DEFAULT,
          Silence.DEFAULT,
          Blocks.DEFAULT,
          1_000,
          Duration.ofHours(1),
          Duration.ofSeconds(60));

  /**
   * @param grace longest time an attempt gets to save its work; EC2 gives two minutes' notice
   * @param margin before a notice's deadline at which the work must have been saved (semantics §6)
   * @param lossGrace for an agent's last word after a loss, while it is connected (semantics §5)
   * @param stopGrace for a stop at a user's word
   * @param noticeWait for the instance of an unmatched notice to appear (semantics §5)
   * @param noticeMemory how long a matched notice is known again when told twice
   */
  public record Drain(
      Duration grace,
      Duration margin,
      Duration lossGrace,
      Duration stopGrace,
      Duration noticeWait,
      Duration noticeMemory) {
    public static final Drain DEFAULT =
        new Drain(
            Duration.ofSeconds(120),
            Duration.ofSeconds(10),
            Duration.ofSeconds(30),
            Duration.ofSeconds(120),
            Duration.ofMinutes(15),
            Duration.ofHours(1));
  }

  /**
   * @param cutOff without a stream (semantics §15)
   * @param lostAfter for a cluster that no policy names any more; the contract's default
   * @param gap between two audits that means nobody listened or the clock jumped: silence counts
   *     anew from its end (semantics §15: counted only while a leader held its lease)
   * @param straySweeps least time between the two sweeps that condemn a stray (semantics §15)
   */
  public record Silence(Duration cutOff, Duration lostAfter, Duration gap, Duration straySweeps) {
    public static final Silence DEFAULT =
        new Silence(
            Duration.ofSeconds(90),
            Duration.ofMinutes(30),
            Duration.ofSeconds(150),
            Duration.ofSeconds(60));
  }

  /**
   * @param longest a block grows to, however often it repeats, unless its failure says less
   * @param longestOfThrottling the same after too many calls, which a minute heals
   * @param longestOfTrouble the same while the provider's service is in trouble: it is asked again
   *     soon, so that its end is noticed
   * @param exclusion of an offering for the job that it interrupted, where no failure names a time
   * @param risk no new placements after a risk notice
   * @param gate exclusion of an offering after a gate's refusal: it will say the same again
   * @param doubt exclusion after a refusal whose grounds had changed before it arrived: whoever
   *     refused may be behind, and is not asked over and over
   * @param prices how old a price may be before nothing is placed by it
   */
  public record Blocks(
      Duration longest,
      Duration longestOfThrottling,
      Duration longestOfTrouble,
      Duration exclusion,
      Duration risk,
      Duration gate,
      Duration doubt,
      PriceAge prices) {
    public static final Blocks DEFAULT =
        new Blocks(
            Duration.ofMinutes(60),
            Duration.ofMinutes(1),
            Duration.ofMinutes(5),
            Duration.ofMinutes(10),
            Duration.ofMinutes(10),
            Duration.ofHours(24),
            Duration.ofSeconds(10),
            PriceAge.DEFAULT);

    /** What a block of that class grows to. */
    public Duration longest(FailureClass type) {
      return switch (type) {
        case THROTTLED -> longestOfThrottling;
        case TRANSIENT -> longestOfTrouble;
        case NO_CAPACITY, QUOTA, PRICE_TOO_LOW, AUTH, INVALID, UNKNOWN -> longest;
      };
    }
  }
}
