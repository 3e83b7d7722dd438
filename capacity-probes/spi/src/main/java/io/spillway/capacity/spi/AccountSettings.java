package io.spillway.capacity.spi;

import java.math.BigDecimal;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * One account of a provider, as configured under {@code
 * spillway.providers.<provider>.accounts.<name>}.
 *
 * @param name the account's name in policies and metrics
 * @param accountId the provider's own id of the account, for joining its events; empty = {@code
 *     name}
 * @param regions to observe; empty = the provider's default set
 * @param interval between two probes
 * @param discount factor on list prices, 1 = none
 * @param callRate factor on how often a module lets itself call: 0.5 where other programs use the
 *     account's calls too, 2 where the provider granted more; 1 = the module's own rate
 * @param endpoint replaces the provider's public endpoint
 * @param credentials provider-specific keys; values are secrets and never logged
 */
public record AccountSettings(
    String name,
    Optional<String> accountId,
    List<String> regions,
    Duration interval,
    BigDecimal discount,
    double callRate,
    Optional<URI> endpoint,
    Map<String, String> credentials) {

  /** With the modules' own rate of calls. */
  public AccountSettings(
      String name,
      Optional<String> accountId,
      List<String> regions,
      Duration interval,
      BigDecimal discount,
      Optional<URI> endpoint,
      Map<String, String> credentials) {
    this(name, accountId, regions, interval, discount, 1, endpoint, credentials);
  }

  public AccountSettings {
    regions = List.copyOf(regions);
    credentials = Map.copyOf(credentials);
  }

  /** Without the credentials. */
  @Override
  public String toString() {
    return "AccountSettings[name=" + name + ", regions=" + regions + ", endpoint=" + endpoint + "]";
  }
}
