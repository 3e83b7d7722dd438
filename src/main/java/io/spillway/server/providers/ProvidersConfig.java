package io.spillway.server.providers;

import io.quarkus.runtime.annotations.StaticInitSafe;
import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithParentName;
import java.util.Map;
import java.util.Optional;

/**
 * {@code spillway.providers.<provider>.accounts.<name>.*}; a provider without accounts is off.
 * {@code spillway.providers.<provider>.facts.<name>}: times that its documentation leaves open, and
 * how long refusals block ({@link io.spillway.capacity.spi.Facts}). All values are taken as texts
 * and read by {@link AccountReader}, so that a mistake in one account turns off that account and
 * not the server.
 */
@StaticInitSafe
@ConfigMapping(prefix = "spillway.providers")
public interface ProvidersConfig {

  @WithParentName
  Map<String, Provider> providers();

  /** One provider. */
  interface Provider {
    Map<String, Account> accounts();

    /** Everything under the provider, to tell keys that mean nothing. */
    @WithParentName
    Map<String, String> all();
  }

  /** One account. */
  interface Account {
    /** The provider's own id of the account, as its events carry it. */
    Optional<String> accountId();

    /** Separated by commas. */
    Optional<String> regions();

    /** Between two probes, 60s unless set. */
    Optional<String> interval();

    /** Factor on list prices; 1 = none. */
    Optional<String> discount();

    /** Factor on how often the module calls the provider; 1 = as it would. */
    Optional<String> callRate();

    /** Replaces the provider's public address. */
    Optional<String> endpoint();

    /** What the module asks for, see its README. */
    Map<String, String> credentials();

    /** Everything under the account, to tell keys that mean nothing. */
    @WithParentName
    Map<String, String> all();
  }
}
