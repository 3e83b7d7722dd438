package io.spillway.capacity.aws;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Optional;
import java.util.regex.Pattern;

/** Amounts as AWS writes them, in decimal dollars. */
final class Amount {
  /** Plain digits only: an exponent could make a short text a number of gigabytes. */
  private static final Pattern DIGITS = Pattern.compile("\\d{1,8}(?:\\.\\d{1,12})?");

  private Amount() {}

  /** The amount; empty when it is none or zero: no price is not a price of zero. */
  static Optional<BigDecimal> positive(String text) {
    return Optional.ofNullable(text)
        .filter(amount -> DIGITS.matcher(amount).matches())
        .map(BigDecimal::new)
        .filter(amount -> amount.signum() > 0);
  }

  /** A fee for all of those hours as one hour's price, rounded half up to a micro-dollar. */
  static BigDecimal perHour(BigDecimal fee, long hours) {
    return fee.divide(BigDecimal.valueOf(hours), 6, RoundingMode.HALF_UP);
  }
}
