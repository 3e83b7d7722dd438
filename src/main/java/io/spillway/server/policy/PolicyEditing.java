package io.spillway.server.policy;

import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.infrastructure.Infrastructure;
import io.spillway.policies.Compilation;
import io.spillway.policies.Compilation.Compiled;
import io.spillway.policies.Compilation.Rejected;
import io.spillway.policies.PolicyCompiler;
import io.spillway.policies.source.SourceFile;
import io.spillway.server.policy.PolicyConfig.Source;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.List;
import java.util.Optional;

/**
 * Changes of the policies by users. What answers a {@code Uni} never blocks; who may call is the
 * caller's matter.
 */
@ApplicationScoped
public class PolicyEditing {
  private final PolicyConfig config;
  private final LivePolicies live;
  private final PolicyVersions versions;
  private final PolicyOffers offers;

  PolicyEditing(
      PolicyConfig config, LivePolicies live, PolicyVersions versions, PolicyOffers offers) {
    this.config = config;
    this.live = live;
    this.versions = versions;
    this.offers = offers;
  }

  /** What would become of these files; changes nothing. Computes here: not for an event loop. */
  public Compilation validate(List<SourceFile> files) {
    return PolicyCompiler.compile(files);
  }

  /**
   * Replaces the whole set.
   *
   * @param ifMatch the version that the caller read, {@code none} before the first
   */
  public Uni<PolicyChange> put(List<SourceFile> files, String ifMatch, String author) {
    Optional<PolicyChange> owned = owned();
    if (owned.isPresent()) {
      return Uni.createFrom().item(owned.get());
    }
    return compiled(files)
        .chain(
            compilation ->
                switch (compilation) {
                  case Rejected rejected -> invalid(rejected);
                  case Compiled set ->
                      versions.alone(
                          live::version,
                          inForce ->
                              inForce.equals(ifMatch)
                                  ? offers.offer(set, files, author, "api")
                                  : Uni.createFrom().item(new PolicyChange.Conflict(inForce)));
                });
  }

  /**
   * Puts an older version in force again. It is compiled anew: what this release refuses stays out.
   */
  public Uni<PolicyChange> rollback(String version, String author) {
    Optional<PolicyChange> owned = owned();
    if (owned.isPresent()) {
      return Uni.createFrom().item(owned.get());
    }
    return versions
        .find(version)
        .chain(
            found ->
                found
                    .map(stored -> again(stored, author))
                    .orElseGet(
                        () -> Uni.createFrom().item(new PolicyChange.UnknownVersion(version))));
  }

  private Uni<PolicyChange> again(StoredPolicies stored, String author) {
    return compiled(stored.files())
        .chain(
            compilation ->
                switch (compilation) {
                  case Rejected rejected -> invalid(rejected);
                  case Compiled set ->
                      versions.alone(
                          live::version,
                          inForce -> offers.offer(set, stored.files(), author, "api"));
                });
  }

  /** On a worker: the largest set takes longer than an event loop may be held up. */
  private static Uni<Compilation> compiled(List<SourceFile> files) {
    return Uni.createFrom()
        .item(() -> PolicyCompiler.compile(files))
        .runSubscriptionOn(Infrastructure.getDefaultWorkerPool());
  }

  private static Uni<PolicyChange> invalid(Rejected rejected) {
    return Uni.createFrom().item(new PolicyChange.Invalid(rejected.findings()));
  }

  private Optional<PolicyChange> owned() {
    return config.source() == Source.DIRECTORY
        ? Optional.of(new PolicyChange.OwnedByDirectory(config.directory()))
        : Optional.empty();
  }
}
