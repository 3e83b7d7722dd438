package io.spillway.capacity.simulated.control;

import io.spillway.capacity.simulated.market.Line;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/** The query of a call. */
record Parameters(Map<String, String> values) {
  Parameters {
    values = Map.copyOf(values);
  }

  Optional<String> text(String name) {
    return Optional.ofNullable(values.get(name)).filter(value -> !value.isEmpty());
  }

  String required(String name) {
    return text(name)
        .orElseThrow(() -> new IllegalArgumentException("parameter '" + name + "' is missing"));
  }

  int count(String name, int otherwise) {
    return text(name).map(Integer::parseInt).orElse(otherwise);
  }

  /** A time given in seconds, with decimals if need be. */
  Duration seconds(String name, Duration otherwise) {
    return text(name)
        .map(value -> Duration.ofMillis(Math.round(Double.parseDouble(value) * 1_000)))
        .orElse(otherwise);
  }

  <E extends Enum<E>> E choice(String name, Class<E> type, E otherwise) {
    return text(name)
        .map(
            value -> Enum.valueOf(type, value.toUpperCase(java.util.Locale.ROOT).replace('-', '_')))
        .orElse(otherwise);
  }

  /**
   * Whether the line has everything that the query names of provider, region, zone, type and
   * market.
   */
  boolean match(Line line) {
    return same("provider", line.provider())
        && same("region", line.region())
        && same("zone", line.zone())
        && same("instanceType", line.instanceType())
        && same("capacityType", line.capacityType().text());
  }

  boolean same(String name, String value) {
    return text(name).map(value::equals).orElse(true);
  }
}
