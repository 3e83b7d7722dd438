package io.spillway.server.policy;

import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import io.spillway.policies.source.SourceFile;
import io.spillway.server.loop.StateReader;
import io.spillway.server.policy.PolicyConfig.Source;
import io.spillway.server.policy.Reload.Verdict;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.jboss.logging.Logger;

/**
 * Watches the policy directory on the leader, on a thread of its own. With the source {@code api}
 * it offers the directory once, to a store that has no version yet.
 */
@ApplicationScoped
public class DirectoryWatch {
  private static final Logger LOG = Logger.getLogger(DirectoryWatch.class);
  private static final Duration STORE_PATIENCE = Duration.ofSeconds(10);
  private static final String AUTHOR = "directory";

  private final PolicyConfig config;
  private final LivePolicies live;
  private final PolicyVersions versions;
  private final PolicyOffers offers;
  private final StateReader state;
  private final MeterRegistry meters;
  private final ScheduledExecutorService thread =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().name("spillway-policies").daemon(true).factory());
  private final Reload reload;
  private volatile Optional<ReloadFault> fault = Optional.empty();
  private Optional<ScheduledFuture<?>> rounds = Optional.empty();
  private boolean seeded;

  DirectoryWatch(
      PolicyConfig config,
      LivePolicies live,
      PolicyVersions versions,
      PolicyOffers offers,
      StateReader state,
      MeterRegistry meters) {
    this.config = config;
    this.live = live;
    this.versions = versions;
    this.offers = offers;
    this.state = state;
    this.meters = meters;
    this.reload = new Reload(config.settle());
  }

  /** Why the directory is not in force, on the leader; empty when it is or nobody knows yet. */
  public Optional<ReloadFault> lastError() {
    return fault;
  }

  void start(@Observes StartupEvent event) {
    meters.gauge(
        "spillway.policy.last.reload.successful", this, watch -> watch.fault.isEmpty() ? 1 : 0);
    rounds =
        config
            .directory()
            .map(
                folder ->
                    thread.scheduleWithFixedDelay(
                        () -> round(folder), 0, config.poll().toMillis(), TimeUnit.MILLISECONDS));
  }

  void stop(@Observes ShutdownEvent event) {
    rounds.ifPresent(running -> running.cancel(true));
    thread.shutdownNow();
  }

  /** A task that throws would never be run again, so everything ends here. */
  private void round(Path folder) {
    try {
      if (!state.leading()) {
        reload.reset();
        fault = Optional.empty();
        return;
      }
      if (config.source() == Source.DIRECTORY || mayBeSeeded()) {
        act(reload.look(read(folder), Instant.now(), live.version()));
      }
    } catch (IOException e) {
      failed(new ReloadFault("the policy directory cannot be read: " + e.getMessage(), List.of()));
    } catch (RuntimeException e) {
      reload.again();
      failed(new ReloadFault("policies could not be stored: " + e.getMessage(), List.of()));
    }
  }

  private static List<SourceFile> read(Path folder) throws IOException {
    return new PolicyDirectory(folder).read();
  }

  private boolean mayBeSeeded() {
    if (!seeded) {
      seeded = !versions.empty().await().atMost(STORE_PATIENCE);
    }
    return !seeded;
  }

  private void act(Verdict verdict) {
    switch (verdict) {
      case Verdict.Wait ignored -> {}
      case Verdict.Same ignored -> fault = Optional.empty();
      case Verdict.Bad bad -> failed(bad.fault());
      case Verdict.Offer offer -> {
        offers
            .offer(offer.set(), offer.files(), AUTHOR, "directory")
            .await()
            .atMost(STORE_PATIENCE);
        fault = Optional.empty();
        LOG.infof(
            "policies offered: version=%s files=%d warnings=%d",
            offer.set().policies().version(), offer.files().size(), offer.set().warnings().size());
        offer.set().warnings().forEach(warning -> LOG.warn(warning.text()));
      }
    }
  }

  private void failed(ReloadFault why) {
    if (!fault.equals(Optional.of(why))) {
      LOG.error(why.message());
    }
    fault = Optional.of(why);
  }
}
