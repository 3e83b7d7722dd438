package io.spillway.scheduler.market;

import io.spillway.scheduler.model.GpuModel;
import io.spillway.scheduler.model.UsdPerGpuHour;
import java.util.Map;
import java.util.TreeMap;

/**
 * Prices of one GPU model that can be true. A price outside says more about its source (a bid floor
 * taken for a price, a node's price taken for a GPU's, a test fixture) than about the market.
 *
 * <p>The band is a quarter of the cheapest up to twice the dearest price known of the model over
 * all providers and capacity types: list and spot prices of eleven providers as read between late
 * 2025 and October 2026; where a model was not in those lists, the list prices of AWS, OCI, GCP and
 * the smaller clouds as commonly known in 2026. Wide on purpose: it catches errors of a kind, not
 * bargains.
 *
 * @param floor the lowest believable price, inclusive
 * @param ceiling the highest believable price, inclusive
 */
public record PriceBand(UsdPerGpuHour floor, UsdPerGpuHour ceiling) {
  private static final int BELOW_CHEAPEST = 4;
  private static final int ABOVE_DEAREST = 2;

  /** Cheapest and dearest known price in cents per GPU-hour, by model. */
  private static final Map<String, PriceBand> KNOWN = known();

  /** The band of a model; every known model has one. */
  public static PriceBand of(GpuModel model) {
    return KNOWN.get(model.name());
  }

  /** Whether the price can be true. */
  public boolean holds(UsdPerGpuHour price) {
    return price.compareTo(floor) >= 0 && price.compareTo(ceiling) <= 0;
  }

  /** The band for people, in dollars. */
  public String text() {
    return floor.dollars() + " to " + ceiling.dollars() + " USD per GPU-hour";
  }

  private static Map<String, PriceBand> known() {
    Map<String, PriceBand> bands = new TreeMap<>();
    seen(bands, "nvidia-v100-16gb", 16, 400);
    seen(bands, "nvidia-v100-32gb", 20, 450);
    seen(bands, "nvidia-t4-16gb-pcie", 8, 150);
    seen(bands, "nvidia-a10-24gb-pcie", 15, 300);
    seen(bands, "nvidia-a10g-24gb-pcie", 20, 300);
    seen(bands, "nvidia-a30-24gb-pcie", 20, 300);
    seen(bands, "nvidia-a40-48gb-pcie", 20, 250);
    seen(bands, "nvidia-a6000-48gb-pcie", 20, 250);
    seen(bands, "nvidia-a100-40gb", 22, 442);
    seen(bands, "nvidia-a100-40gb-pcie", 22, 442);
    seen(bands, "nvidia-a100-80gb", 58, 820);
    seen(bands, "nvidia-a100-80gb-pcie", 58, 820);
    seen(bands, "nvidia-l4-24gb-pcie", 15, 200);
    seen(bands, "nvidia-l40-48gb-pcie", 30, 300);
    seen(bands, "nvidia-l40s-48gb-pcie", 30, 400);
    seen(bands, "nvidia-rtx4090-24gb-pcie", 15, 150);
    seen(bands, "nvidia-rtx5090-32gb-pcie", 20, 200);
    seen(bands, "nvidia-rtx6000ada-48gb-pcie", 30, 250);
    seen(bands, "nvidia-rtxpro6000-96gb-pcie", 50, 500);
    seen(bands, "nvidia-h100-80gb", 95, 2_333);
    seen(bands, "nvidia-h100-80gb-pcie", 95, 800);
    seen(bands, "nvidia-h100-94gb-nvl", 120, 1_013);
    seen(bands, "nvidia-gh200-96gb", 100, 650);
    seen(bands, "nvidia-h200-141gb", 109, 2_120);
    seen(bands, "nvidia-h200-141gb-nvl", 109, 2_120);
    seen(bands, "nvidia-b200-180gb", 95, 1_425);
    seen(bands, "nvidia-gb200-186gb", 200, 5_408);
    seen(bands, "nvidia-b300-288gb", 124, 1_781);
    seen(bands, "nvidia-gb300-288gb", 200, 5_408);
    seen(bands, "amd-mi300x-192gb", 95, 1_200);
    seen(bands, "amd-mi325x-256gb", 95, 1_200);
    seen(bands, "amd-mi355x-288gb", 120, 1_400);
    return bands;
  }

  private static void seen(
      Map<String, PriceBand> bands, String model, long cheapestCents, long dearestCents) {
    long micros = 10_000;
    bands.put(
        model,
        new PriceBand(
            new UsdPerGpuHour(cheapestCents * micros / BELOW_CHEAPEST),
            new UsdPerGpuHour(dearestCents * micros * ABOVE_DEAREST)));
  }
}
