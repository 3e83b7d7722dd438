package io.spillway.server.gateway;

import io.spillway.scheduler.model.AttemptId;
import io.spillway.scheduler.model.ClusterName;
import io.spillway.scheduler.model.OfferingId;
import io.vertx.core.Future;
import io.vertx.sqlclient.Pool;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.Tuple;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Whose the attempts are that a stream speaks of. What the stream was told to start it may report;
 * only an attempt that it was never told of is looked up, all of a frame's in one query. Belongs to
 * one stream.
 */
final class KnownAttempts {
  private static final int KEPT = 50_000;

  private final Pool pool;
  private final ClusterName cluster;
  private final Map<AttemptId, OfferingId> ours =
      new LinkedHashMap<>(256, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<AttemptId, OfferingId> eldest) {
          return size() > KEPT;
        }
      };

  KnownAttempts(Pool pool, ClusterName cluster) {
    this.pool = pool;
    this.cluster = cluster;
  }

  /** The stream was told of it, so it is its cluster's. */
  void told(AttemptId attempt, OfferingId offering) {
    ours.put(attempt, offering);
  }

  /** Whose they are. Completes at once if all are known. */
  Future<Map<AttemptId, Belonging>> of(Collection<AttemptId> attempts) {
    Map<AttemptId, Belonging> found = new LinkedHashMap<>();
    for (AttemptId attempt : attempts) {
      OfferingId offering = ours.get(attempt);
      if (offering != null) {
        found.put(attempt, new Belonging.Ours(offering));
      }
    }
    List<AttemptId> unknown =
        attempts.stream().filter(attempt -> !found.containsKey(attempt)).distinct().toList();
    return unknown.isEmpty() ? Future.succeededFuture(found) : lookUp(unknown, found);
  }

  private Future<Map<AttemptId, Belonging>> lookUp(
      List<AttemptId> unknown, Map<AttemptId, Belonging> found) {
    // By the primary key of attempt.
    return pool.preparedQuery(
            """
            select a.job_id, a.number, a.cluster, a.offering
              from unnest($1::text[], $2::int[]) as asked(job_id, number)
              join attempt a using (job_id, number)
            """)
        .execute(
            Tuple.tuple()
                .addArrayOfString(
                    unknown.stream().map(attempt -> attempt.job().value()).toArray(String[]::new))
                .addArrayOfInteger(unknown.stream().map(AttemptId::number).toArray(Integer[]::new)))
        .map(
            rows -> {
              unknown.forEach(attempt -> found.put(attempt, new Belonging.Nobodys()));
              for (Row row : rows) {
                AttemptId attempt =
                    AttemptId.parse(row.getString("job_id") + "-" + row.getInteger("number"));
                if (row.getString("cluster").equals(cluster.value())) {
                  OfferingId offering = OfferingId.parse(row.getString("offering"));
                  ours.put(attempt, offering);
                  found.put(attempt, new Belonging.Ours(offering));
                } else {
                  found.put(attempt, new Belonging.Foreign());
                }
              }
              return found;
            });
  }
}
