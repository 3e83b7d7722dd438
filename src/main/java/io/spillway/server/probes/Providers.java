package io.spillway.server.probes;

import io.spillway.capacity.spi.AccountSettings;
import io.spillway.capacity.spi.CapacityProbe;
import io.spillway.capacity.spi.CapacityProvider;
import io.spillway.capacity.spi.EventNormalizer;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceLoader;
import org.jboss.logging.Logger;

/** The provider modules on the class path and their configured accounts. Immutable once started. */
@ApplicationScoped
public class Providers implements EventNormalizer.AccountNames {
  private static final Logger LOG = Logger.getLogger(Providers.class);

  private final Map<String, CapacityProvider> byName = new HashMap<>();
  private final List<Account> accounts = new ArrayList<>();
  private final List<AccountHealth> off = new ArrayList<>();
  private final Map<String, String> namesById = new HashMap<>();

  @Inject
  Providers(ProvidersConfig config) {
    ServiceLoader.load(CapacityProvider.class, Thread.currentThread().getContextClassLoader())
        .forEach(provider -> byName.put(provider.name(), provider));
    config.providers().forEach(this::open);
  }

  private void open(String provider, ProvidersConfig.Provider configured) {
    configured
        .accounts()
        .forEach(
            (name, account) -> {
              AccountSettings settings = account.settings(name);
              try {
                CapacityProvider module = known(provider);
                namesById.put(
                    idKey(module.marketOf(settings), settings.accountId().orElse(name)), name);
                accounts.add(new Account(provider, settings, module.probe(settings)));
              } catch (IllegalArgumentException e) {
                LOG.warnf("provider=%s account=%s is off: %s", provider, name, e.getMessage());
                off.add(AccountHealth.off(provider, name, e.getMessage()));
              }
            });
  }

  private CapacityProvider known(String provider) {
    CapacityProvider found = byName.get(provider);
    if (found == null) {
      throw new IllegalArgumentException(
          "there is no provider module '" + provider + "'; there are " + byName.keySet());
    }
    return found;
  }

  /** The module of that name, if it is on the class path. */
  public Optional<CapacityProvider> provider(String name) {
    return Optional.ofNullable(byName.get(name));
  }

  /** All modules on the class path, by name. */
  public Map<String, CapacityProvider> modules() {
    return Map.copyOf(byName);
  }

  List<Account> accounts() {
    return List.copyOf(accounts);
  }

  List<AccountHealth> off() {
    return List.copyOf(off);
  }

  @Override
  public Optional<String> nameOf(String provider, String accountId) {
    return Optional.ofNullable(namesById.get(idKey(provider, accountId)));
  }

  private static String idKey(String provider, String accountId) {
    return provider + '/' + accountId;
  }

  /** One account with its probe. */
  record Account(String provider, AccountSettings settings, CapacityProbe probe) {}
}
