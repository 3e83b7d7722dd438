package io.spillway.capacity.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.spillway.capacity.spi.AccountSettings;
import io.spillway.capacity.spi.CapacityProbe.Result;
import io.spillway.scheduler.market.Observation;
import io.spillway.scheduler.model.CapacityType;
import io.spillway.scheduler.model.MarketKey;
import io.spillway.scheduler.model.Trust;
import java.time.Instant;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** What holds of every result, whatever the provider answered. */
record SoundResult(
    AccountSettings account, String market, Instant now, Collection<String> secrets) {

  void check(Result result) {
    Set<MarketKey> keys = new HashSet<>();
    for (Observation seen : result.observations()) {
      check(seen);
      assertThat(keys.add(seen.key())).as("told twice: " + seen.key()).isTrue();
    }
    result.warnings().forEach(this::shown);
  }

  private void check(Observation seen) {
    MarketKey key = seen.key();
    String about = seen.toString();
    assertThat(key.provider()).as(about).isEqualTo(market);
    assertThat(key.account()).as(about).isEqualTo(account.name());
    assertThat(List.of(key.region(), key.zone(), key.instanceType())).as(about).doesNotContain("");
    assertThat(key.reservation().isPresent())
        .as(about)
        .isEqualTo(key.capacityType() == CapacityType.RESERVED);
    if (!account.regions().isEmpty()) {
      assertThat(account.regions()).as(about).contains(key.region());
    }
    assertThat(seen.observedAt()).as(about).isEqualTo(now);
    assertThat(seen.priceAt()).as("from the future: " + about).isBeforeOrEqualTo(now);
    assertThat(seen.source()).as(about).isNotBlank().hasSizeLessThanOrEqualTo(80);
    for (Optional<io.spillway.scheduler.model.UsdPerGpuHour> price :
        List.of(seen.price(), seen.onDemandPrice())) {
      assertThat(price.map(some -> some.micros()).orElse(1L))
          .as("no price is not a price of zero: " + about)
          .isPositive();
    }
    if (seen.trust() == Trust.FALLBACK) {
      assertThat(seen.source()).as("a shipped price is named as one").contains("catalogue");
      assertThat(seen.priceAt()).as("a shipped price has the catalogue's date").isBefore(now);
    } else {
      assertThat(seen.source()).as("trust of " + about).doesNotContain("catalogue");
    }
    shown(seen.source());
  }

  /** Whatever people get to see. */
  void shown(String text) {
    for (String secret : secrets) {
      assertThat(text.contains(secret)).as("a secret is shown in: " + text).isFalse();
    }
  }

  /** The same of a failure and all that it carries. */
  void shown(Throwable failure) {
    for (Throwable part = failure; part != null; part = part.getCause()) {
      shown(String.valueOf(part));
      for (Throwable other : part.getSuppressed()) {
        shown(String.valueOf(other));
      }
    }
  }
}
