package io.spillway.server.store;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The time partitions of one table. Their bounds are multiples of the period since the epoch, so
 * that every replica computes the same.
 *
 * @param keep how long a row is kept at least
 */
record Partitions(String table, Duration period, Duration keep) {
  private static final int AHEAD = 3;
  private static final DateTimeFormatter NAME =
      DateTimeFormatter.ofPattern("yyyyMMdd'_'HHmm").withZone(ZoneOffset.UTC);

  /** A partition whose last row is old enough. */
  record Old(String name, Instant until) {}

  /** Statements that make the present partition and the next ones. */
  List<String> ahead(Instant now) {
    List<String> statements = new ArrayList<>();
    Instant from = floor(now);
    for (int i = 0; i < AHEAD; i++) {
      Instant until = from.plus(period);
      statements.add(
          "create table if not exists %s partition of %s for values from ('%s') to ('%s')"
              .formatted(name(from), table, from, until));
      from = until;
    }
    return statements;
  }

  /** Of these partitions those that ended longer ago than rows are kept. */
  List<Old> old(Instant now, List<String> names) {
    return names.stream()
        .flatMap(name -> from(name).map(from -> new Old(name, from.plus(period))).stream())
        .filter(old -> old.until().plus(keep).isBefore(now))
        .toList();
  }

  private Instant floor(Instant now) {
    long length = period.toSeconds();
    return Instant.ofEpochSecond(Math.floorDiv(now.getEpochSecond(), length) * length);
  }

  private String name(Instant from) {
    return table + "_p" + NAME.format(from);
  }

  /** Empty for the default partition and for whatever else somebody attached. */
  private Optional<Instant> from(String name) {
    String prefix = table + "_p";
    if (!name.matches(prefix + "\\d{8}_\\d{4}")) {
      return Optional.empty();
    }
    return Optional.of(NAME.parse(name.substring(prefix.length()), Instant::from));
  }
}
