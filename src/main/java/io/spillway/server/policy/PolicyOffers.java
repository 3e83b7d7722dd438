package io.spillway.server.policy;

import io.smallrye.mutiny.Uni;
import io.spillway.policies.Compilation.Compiled;
import io.spillway.policies.source.SourceFile;
import io.spillway.scheduler.input.CommandInput.PolicyOffered;
import io.spillway.scheduler.input.Lane;
import io.spillway.server.inbox.Inbox;
import io.spillway.server.providers.Providers;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import java.util.List;

/** Stores a compiled set and hands it to the loop. */
@ApplicationScoped
class PolicyOffers {
  private static final Duration PATIENCE = Duration.ofSeconds(2);

  private final PolicyVersions versions;
  private final Inbox inbox;
  private final ZoneSpelling zones;

  PolicyOffers(PolicyVersions versions, Inbox inbox, Providers providers) {
    this.versions = versions;
    this.inbox = inbox;
    this.zones = new ZoneSpelling(providers::zoneOf);
  }

  /** Completes once the loop adopted it, or after two seconds. */
  Uni<PolicyChange> offer(Compiled set, List<SourceFile> files, String author, String source) {
    String version = set.policies().version();
    return versions
        .store(version, files, author, source)
        .chain(() -> versions.offered(version))
        .chain(
            () ->
                inbox.append(
                    Lane.COMMANDS, author, List.of(new PolicyOffered(zones.of(set.policies())))))
        .chain(key -> inbox.committed(key, PATIENCE))
        .map(inForce -> new PolicyChange.Accepted(version, set.warnings(), inForce));
  }
}
