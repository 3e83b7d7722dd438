package io.spillway.capacity.http;

import io.spillway.capacity.spi.AccountSettings;
import io.spillway.scheduler.model.UsdPerGpuHour;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Optional;

/**
 * A provider's prices as USD per GPU-hour. A price of zero or less is no price; so is one over a
 * million dollars. The customer's discount is a factor on list prices; a price that a market made
 * is already what is paid.
 *
 * @param discount over 0, at most 10; 1 = none
 */
public record Prices(BigDecimal discount) {
  private static final BigDecimal MICROS = BigDecimal.valueOf(1_000_000L);
  private static final BigDecimal DEAREST = BigDecimal.valueOf(1_000_000L);

  public Prices {
    if (discount.signum() <= 0 || discount.compareTo(BigDecimal.TEN) > 0) {
      throw new IllegalArgumentException("discount is a factor over 0, 1 = none, not " + discount);
    }
  }

  /**
   * @throws IllegalArgumentException if the account's discount cannot be
   */
  public static Prices of(AccountSettings account) {
    return new Prices(account.discount());
  }

  /** A list price of a whole node's hour, discounted. */
  public Optional<UsdPerGpuHour> listNode(BigDecimal usdPerHour, int gpus) {
    return marketNode(usdPerHour.multiply(discount), gpus);
  }

  /** A list price of one GPU's hour, discounted. */
  public Optional<UsdPerGpuHour> listGpu(BigDecimal usdPerHour) {
    return marketNode(usdPerHour.multiply(discount), 1);
  }

  /** A market's price of a whole node's hour. */
  public Optional<UsdPerGpuHour> marketNode(BigDecimal usdPerHour, int gpus) {
    if (usdPerHour.signum() <= 0 || usdPerHour.compareTo(DEAREST) > 0 || gpus < 1) {
      return Optional.empty();
    }
    long micros =
        usdPerHour
            .multiply(MICROS)
            .divide(BigDecimal.valueOf(gpus), 0, RoundingMode.HALF_UP)
            .longValueExact();
    return micros == 0 ? Optional.empty() : Optional.of(new UsdPerGpuHour(micros));
  }

  /** A market's price of one GPU's hour. */
  public Optional<UsdPerGpuHour> marketGpu(BigDecimal usdPerHour) {
    return marketNode(usdPerHour, 1);
  }
}
