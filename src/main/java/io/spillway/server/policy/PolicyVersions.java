package io.spillway.server.policy;

import io.smallrye.mutiny.Uni;
import io.spillway.policies.source.SourceFile;
import io.vertx.core.json.JsonArray;
import io.vertx.mutiny.sqlclient.Pool;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.SqlConnection;
import io.vertx.mutiny.sqlclient.Tuple;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

/** All versions that ever were offered. Rows are never changed: a version is its content. */
@ApplicationScoped
class PolicyVersions {
  private static final String CELL = "main";

  private final Pool pool;

  PolicyVersions(Pool pool) {
    this.pool = pool;
  }

  /** Stores a version; one that is there keeps its first author and time. */
  Uni<Void> store(String version, List<SourceFile> files, String author, String source) {
    return pool.preparedQuery(
            """
            insert into policy_version (version, documents, author, source)
            values ($1, $2, $3, $4)
            on conflict (version) do nothing
            """)
        .execute(Tuple.of(version, StoredPolicies.json(files), author, source))
        .replaceWithVoid();
  }

  Uni<Optional<StoredPolicies>> find(String version) {
    return pool.preparedQuery(
            """
            select version, documents, author, source, created_at
            from policy_version where version = $1
            """)
        .execute(Tuple.of(version))
        .map(
            rows ->
                rows.iterator().hasNext()
                    ? Optional.of(stored(rows.iterator().next()))
                    : Optional.empty());
  }

  /** Newest first, without their content. */
  Uni<List<StoredPolicies>> list(int limit) {
    return pool.preparedQuery(
            """
            select version, '[]'::jsonb as documents, author, source, created_at
            from policy_version order by created_at desc, version limit $1
            """)
        .execute(Tuple.of(limit))
        .map(
            rows -> {
              List<StoredPolicies> versions = new ArrayList<>();
              rows.forEach(row -> versions.add(stored(row)));
              return List.copyOf(versions);
            });
  }

  Uni<Boolean> empty() {
    return pool.query("select not exists (select from policy_version) as empty")
        .execute()
        .map(rows -> rows.iterator().next().getBoolean("empty"));
  }

  /**
   * Runs a change alone in the whole installation, with the version that the journal says is in
   * force. Two users who read the same version and both write are told apart here: one is first,
   * the other gets a conflict, at once rather than in a queue that would hold connections.
   *
   * @param ifNoJournal the version in force while the journal has no row
   */
  Uni<PolicyChange> alone(
      Supplier<String> ifNoJournal, Function<String, Uni<PolicyChange>> change) {
    return pool.withTransaction(
        connection ->
            connection
                .preparedQuery("select pg_try_advisory_xact_lock(hashtextextended($1, 0)) as mine")
                .execute(Tuple.of("spillway-policies-" + CELL))
                .map(rows -> rows.iterator().next().getBoolean("mine"))
                .chain(
                    mine ->
                        inForce(connection)
                            .map(version -> version.orElseGet(ifNoJournal))
                            .chain(
                                version ->
                                    mine
                                        ? change.apply(version)
                                        : Uni.createFrom()
                                            .item(new PolicyChange.Conflict(version)))));
  }

  /** Remembers what was offered last. */
  Uni<Void> offered(String version) {
    return pool.preparedQuery(
            """
            insert into policy_live (cell, version) values ($1, $2)
            on conflict (cell) do update set version = excluded.version
            """)
        .execute(Tuple.of(CELL, version))
        .replaceWithVoid();
  }

  /** The newest journal row names it; by the primary key. */
  private static Uni<Optional<String>> inForce(SqlConnection connection) {
    return connection
        .preparedQuery("select policy from journal where cell = $1 order by seq desc limit 1")
        .execute(Tuple.of(CELL))
        .map(
            rows ->
                rows.iterator().hasNext()
                    ? Optional.of(rows.iterator().next().getString("policy"))
                    : Optional.empty());
  }

  private static StoredPolicies stored(Row row) {
    return new StoredPolicies(
        row.getString("version"),
        StoredPolicies.files((JsonArray) row.getValue("documents")),
        row.getString("author"),
        row.getString("source"),
        row.getOffsetDateTime("created_at").withOffsetSameInstant(ZoneOffset.UTC).toInstant());
  }
}
