package io.spillway.server.providers;

import io.spillway.capacity.spi.AccountSettings;
import io.spillway.capacity.spi.CapacityProbe;
import io.spillway.capacity.spi.CapacityProvider;
import io.spillway.capacity.spi.CapacityProvider.WayIn;
import io.spillway.capacity.spi.EventNormalizer;
import io.spillway.server.json.Durations;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jboss.logging.Logger;

/** The provider modules on the class path and their configured accounts. Immutable once started. */
@ApplicationScoped
public class Providers implements EventNormalizer.AccountNames {
  private static final Logger LOG = Logger.getLogger(Providers.class);
  private static final String FACTS = "facts.";

  private final SortedMap<String, CapacityProvider> byName;
  private final List<Account> accounts = new ArrayList<>();
  private final List<Off> off = new ArrayList<>();
  private final Map<String, String> namesById = new HashMap<>();

  @Inject
  Providers(ProvidersConfig config) {
    this(config, installed());
  }

  Providers(ProvidersConfig config, SortedMap<String, CapacityProvider> modules) {
    byName = new TreeMap<>(modules);
    new TreeMap<>(config.providers()).forEach(this::open);
    List<String> idle =
        byName.keySet().stream().filter(name -> !config.providers().containsKey(name)).toList();
    if (!idle.isEmpty()) {
      LOG.infof("providers without an account are off: %s", String.join(", ", idle));
    }
  }

  /** All modules on the class path by name, in its order. */
  public static SortedMap<String, CapacityProvider> installed() {
    SortedMap<String, CapacityProvider> found = new TreeMap<>();
    ServiceLoader.load(CapacityProvider.class, Thread.currentThread().getContextClassLoader())
        .forEach(
            provider -> {
              if (found.putIfAbsent(provider.name(), provider) != null) {
                throw new IllegalStateException(
                    "two provider modules are called " + provider.name());
              }
            });
    return Collections.unmodifiableSortedMap(found);
  }

  /** The zone as that provider spells it; as written where it has no module. */
  public String zoneOf(String provider, String written) {
    CapacityProvider module = byName.get(provider);
    return module == null ? written : module.zoneOf(written);
  }

  private void open(String provider, ProvidersConfig.Provider configured) {
    Map<String, Duration> facts = new TreeMap<>();
    new TreeMap<>(configured.all())
        .forEach(
            (key, text) -> {
              String full = "spillway.providers." + provider + '.' + key;
              if (key.startsWith(FACTS)) {
                fact(full, text)
                    .ifPresentOrElse(
                        time -> facts.put(dashed(key.substring(FACTS.length())), time),
                        () -> off(provider, "", full + ": no duration such as 90s or 2m"));
              } else if (!key.startsWith("accounts.")) {
                off(
                    provider,
                    "",
                    full + ": there is no such key; there are accounts.<name>.… and facts.<name>");
              }
            });
    learn(provider, facts);
    new TreeMap<>(configured.accounts()).forEach((name, texts) -> open(provider, name, texts));
  }

  private static Optional<Duration> fact(String key, String text) {
    try {
      return Optional.of(Durations.parse(text.strip()));
    } catch (IllegalArgumentException e) {
      LOG.debugf("%s: %s", key, e.getMessage());
      return Optional.empty();
    }
  }

  /** An environment variable cannot say whether its _ was a dash. */
  private static String dashed(String name) {
    return name.replaceAll("[._]", "-");
  }

  /** Each by itself: one that the module does not know is told, and costs no other. */
  private void learn(String provider, Map<String, Duration> facts) {
    facts.forEach(
        (name, time) -> {
          CapacityProvider module = byName.get(provider);
          try {
            if (module != null) {
              byName.put(provider, module.with(Map.of(name, time)));
            }
          } catch (IllegalArgumentException e) {
            off(provider, "", "spillway.providers." + provider + ".facts." + e.getMessage());
          }
        });
  }

  // A module's bug must not stop the others; what it was is in the log.
  private void open(String provider, String name, ProvidersConfig.Account texts) {
    try {
      AccountSettings settings = AccountReader.read(provider, name, texts);
      CapacityProvider module = known(provider);
      accounts.add(account(provider, module, settings));
    } catch (IllegalArgumentException e) {
      off(provider, name, String.valueOf(e.getMessage()));
    } catch (RuntimeException e) {
      LOG.errorf(e, "provider=%s account=%s is off: a bug of its module", provider, name);
      off.add(new Off(provider, name, "a bug of its module, see the log: " + e.getClass()));
    }
  }

  private void off(String provider, String account, String why) {
    LOG.warnf("provider=%s account=%s is off: %s", provider, account, why);
    off.add(new Off(provider, account, why));
  }

  private Account account(String provider, CapacityProvider module, AccountSettings settings) {
    String id = idKey(module.marketOf(settings), settings.accountId().orElseGet(settings::name));
    String other = namesById.get(id);
    if (other != null) {
      throw new IllegalArgumentException(
          prefix(provider, settings.name()) + ".account-id: account " + other + " has the same");
    }
    // Also of an account that cannot be probed: its events come all the same.
    namesById.put(id, settings.name());
    try {
      return new Account(provider, settings, module.probe(settings));
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          prefix(provider, settings.name()) + ": " + e.getMessage(), e);
    }
  }

  private static String prefix(String provider, String account) {
    return "spillway.providers." + provider + ".accounts." + account;
  }

  private CapacityProvider known(String provider) {
    CapacityProvider found = byName.get(provider);
    if (found == null) {
      throw new IllegalArgumentException(
          "spillway.providers."
              + provider
              + ": there is no such provider module; there are "
              + String.join(", ", byName.keySet()));
    }
    return found;
  }

  /** The module of that name, if it is on the class path. */
  public Optional<CapacityProvider> provider(String name) {
    return Optional.ofNullable(byName.get(name));
  }

  /** All modules on the class path, by name and in its order. */
  public SortedMap<String, CapacityProvider> modules() {
    return Collections.unmodifiableSortedMap(byName);
  }

  /** What machines of that provider need to become nodes; the usual way without its module. */
  public WayIn wayIn(String provider) {
    return provider(provider).map(CapacityProvider::wayIn).orElse(WayIn.NODE_GROUP);
  }

  /** Accounts whose settings can work, in the order of their names. */
  public List<Account> accounts() {
    return List.copyOf(accounts);
  }

  /** Accounts whose settings cannot work, and why. */
  public List<Off> off() {
    return List.copyOf(off);
  }

  @Override
  public Optional<String> nameOf(String provider, String accountId) {
    return Optional.ofNullable(namesById.get(idKey(provider, accountId)));
  }

  private static String idKey(String provider, String accountId) {
    return provider + '/' + accountId;
  }

  /**
   * One account with its probe.
   *
   * @param provider the module's name, not the market that it may play
   */
  public record Account(String provider, AccountSettings settings, CapacityProbe probe) {}

  /**
   * An account that is not probed; without a name when a key of the provider itself is wrong.
   *
   * @param why names the key
   */
  public record Off(String provider, String account, String why) {}
}
