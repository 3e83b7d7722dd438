package io.spillway.capacity.aws;

import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The zone ids behind the zone names of each account, as its probe learnt them: {@code us-east-2a}
 * is another zone in another account, and offerings are keyed by id. Events carry names. Where no
 * probe runs, nothing is known and the names stay. Any thread.
 */
final class AwsZones {
  private final Map<String, String> ids = new ConcurrentHashMap<>();

  /**
   * @param account the configured name
   */
  void learn(String account, String zoneName, String zoneId) {
    ids.put(account + '/' + zoneName, zoneId);
  }

  Optional<String> id(String account, String zoneName) {
    return Optional.ofNullable(ids.get(account + '/' + zoneName));
  }
}
