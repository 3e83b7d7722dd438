package io.spillway.capacity.aws;

import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The zone ids behind the zone names of each account, as its probe learnt them here or on another
 * replica: {@code us-east-2a} is another zone in another account, and offerings are keyed by id.
 * Events carry names. Where no probe ever ran, nothing is known and the names stay. Any thread.
 */
final class AwsZones {
  private final Map<String, Map<String, String>> byAccount = new ConcurrentHashMap<>();

  /**
   * @param account the configured name
   */
  void learn(String account, String zoneName, String zoneId) {
    byAccount.computeIfAbsent(account, name -> new ConcurrentHashMap<>()).put(zoneName, zoneId);
  }

  Optional<String> id(String account, String zoneName) {
    return Optional.ofNullable(byAccount.getOrDefault(account, Map.of()).get(zoneName));
  }

  /** All that is known of the account. */
  Map<String, String> of(String account) {
    return Map.copyOf(byAccount.getOrDefault(account, Map.of()));
  }
}
