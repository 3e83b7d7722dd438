package io.spillway.capacity.testkit;

import com.github.tomakehurst.wiremock.WireMockServer;
import io.spillway.capacity.spi.AccountSettings;
import io.spillway.capacity.spi.CapacityProvider;
import java.lang.reflect.Constructor;
import java.math.BigDecimal;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A provider as its module's contract test knows it, for measurements: its door, its happy answers,
 * an account. Not thread-safe.
 */
public final class StubbedProvider {
  private final ProbeContractSetup setup;

  private StubbedProvider(ProbeContractSetup setup) {
    this.setup = setup;
  }

  /**
   * @param contractTest the class of the module that extends {@link ProbeContract}
   * @throws ReflectiveOperationException if it is not on the class path, or cannot be made
   */
  public static StubbedProvider of(String contractTest) throws ReflectiveOperationException {
    Constructor<?> constructor = Class.forName(contractTest).getDeclaredConstructor();
    constructor.setAccessible(true);
    return new StubbedProvider((ProbeContractSetup) constructor.newInstance());
  }

  public CapacityProvider provider() {
    return setup.provider();
  }

  /** Instance types to ask for. */
  public Set<String> interest() {
    return setup.interest();
  }

  /**
   * Starts the provider's interface with its happy answers, on a port of its own.
   *
   * @param region that these are about, to be told of all {@code regions}; empty if they are about
   *     any, or if the module has answers of its own for many
   * @param regions of the accounts; empty for those of the test
   * @return where its accounts are to ask
   */
  public URI serve(String region, List<String> regions) {
    ManyRegions many = new ManyRegions();
    WireMockServer own = StubCloud.another(many);
    URI there = URI.create("http://127.0.0.1:" + own.port());
    URI told = setup.account(there).endpoint().orElse(there);
    if (told.getPort() == there.getPort()) {
      answer(own, regions);
      many.spread(region, region.isEmpty() ? List.of() : regions);
    } else {
      // Its module stands a server of its own in front of the tests' one.
      own.stop();
      answer(StubCloud.fresh(Instant.now()), regions);
      StubCloud.spread(region, region.isEmpty() ? List.of() : regions);
    }
    return told;
  }

  private void answer(WireMockServer server, List<String> regions) {
    setup.always(server);
    if (regions.isEmpty() || !setup.happyIn(server, regions)) {
      setup.happy(server);
    }
  }

  /** One of several accounts at that interface; without regions, those of the test. */
  public AccountSettings account(URI endpoint, String name, List<String> regions) {
    AccountSettings known = setup.account(endpoint);
    return new AccountSettings(
        name,
        known.accountId(),
        regions.isEmpty() ? known.regions() : regions,
        Duration.ofMinutes(1),
        BigDecimal.ONE,
        Optional.of(endpoint),
        known.credentials());
  }
}
