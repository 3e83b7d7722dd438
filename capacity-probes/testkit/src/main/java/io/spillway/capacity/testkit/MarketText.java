package io.spillway.capacity.testkit;

import io.spillway.scheduler.market.Observation;
import java.util.Collection;
import java.util.List;

/**
 * Observations as lines that a test can hold: {@code region/zone/type/market[/reservation] GPUs x
 * model, price, availability, trust}, for example {@code us-east-1/us-east-1/gpu_8x_h100/on-demand
 * 8x nvidia-h100-80gb 2.9900 AVAILABLE OFFERED}; {@code -} stands for no price. Sorted; spaces and
 * order of the expected text do not matter.
 */
public final class MarketText {
  private MarketText() {}

  /** The observations' lines. */
  public static List<String> of(Collection<Observation> observations) {
    return observations.stream().map(MarketText::line).sorted().toList();
  }

  /** The lines of an expected text. */
  public static List<String> lines(String expected) {
    return expected
        .lines()
        .map(line -> line.strip().replaceAll("\\s+", " "))
        .filter(line -> !line.isEmpty())
        .sorted()
        .toList();
  }

  private static String line(Observation seen) {
    return String.join(
        " ",
        seen.key().region()
            + '/'
            + seen.key().zone()
            + '/'
            + seen.key().instanceType()
            + '/'
            + seen.key().capacityType().text()
            + seen.key().reservation().map(id -> "/" + id).orElse(""),
        seen.shape().gpus() + "x",
        seen.shape().gpu().name(),
        seen.price().map(price -> price.dollars().toPlainString()).orElse("-"),
        seen.availability().name(),
        seen.trust().name());
  }
}
