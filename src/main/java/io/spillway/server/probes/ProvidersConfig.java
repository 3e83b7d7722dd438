package io.spillway.server.probes;

import io.quarkus.runtime.annotations.StaticInitSafe;
import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import io.smallrye.config.WithParentName;
import io.spillway.capacity.spi.AccountSettings;
import java.math.BigDecimal;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** {@code spillway.providers.<provider>.accounts.<name>.*}; a provider without accounts is off. */
@StaticInitSafe
@ConfigMapping(prefix = "spillway.providers")
public interface ProvidersConfig {

  @WithParentName
  Map<String, Provider> providers();

  /** One provider. */
  interface Provider {
    Map<String, Account> accounts();
  }

  /** One account. */
  interface Account {
    /** The provider's own id of the account, as its events carry it. */
    Optional<String> accountId();

    Optional<List<String>> regions();

    @WithDefault("60s")
    Duration interval();

    /** Factor on list prices; 1 = none. */
    @WithDefault("1")
    BigDecimal discount();

    Optional<URI> endpoint();

    Map<String, String> credentials();

    default AccountSettings settings(String name) {
      return new AccountSettings(
          name,
          accountId(),
          regions().orElse(List.of()),
          interval(),
          discount(),
          endpoint(),
          credentials());
    }
  }
}
