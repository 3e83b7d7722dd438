package io.spillway.server.metrics;

import io.spillway.scheduler.model.ClusterName;
import io.spillway.scheduler.model.OfferingId;
import io.spillway.scheduler.policy.ClusterPolicy;
import io.spillway.scheduler.policy.PolicySet;
import io.vertx.mutiny.sqlclient.Pool;
import io.vertx.mutiny.sqlclient.Row;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jboss.logging.Logger;

/** What ended attempts cost, summed by the database at a takeover. */
@ApplicationScoped
public class SpendHistory {
  private static final Logger LOG = Logger.getLogger(SpendHistory.class);
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final Pool pool;

  @Inject
  SpendHistory(Pool pool) {
    this.pool = pool;
  }

  /** Blocks the caller (the loop's thread, before it leads) for one scan of the attempts kept. */
  List<MoneyCounters.Sum> sums(PolicySet policies) {
    List<MoneyCounters.Sum> sums = new ArrayList<>();
    try {
      // A scan of attempt, once a takeover; the join is by job's primary key.
      var rows =
          pool.query(
                  """
                  select j.queue, a.offering,
                         sum(t.hours * t.price)::bigint, sum(t.hours * t.on_demand)::bigint
                  from attempt a
                  join job j on j.id = a.job_id
                  cross join lateral (
                    select greatest(extract(epoch from a.ended_at
                               - (a.core::jsonb ->> 'runningSince')::timestamptz), 0) / 3600
                             * (a.core::jsonb -> 'placement' ->> 'nodes')::int
                             * (a.core::jsonb -> 'placement' ->> 'gpusPerNode')::int as hours,
                           (a.core::jsonb -> 'placement' ->> 'price')::numeric as price,
                           (a.core::jsonb -> 'placement' ->> 'onDemandPrice')::numeric as on_demand
                  ) t
                  where a.ended_at is not null and a.core::jsonb ? 'runningSince'
                  group by j.queue, a.offering
                  """)
              .execute()
              .await()
              .atMost(PATIENCE);
      for (Row row : rows) {
        OfferingId offering = OfferingId.parse(row.getString(1));
        sums.add(
            new MoneyCounters.Sum(
                row.getString(0),
                provider(policies, offering.cluster()),
                offering.capacityType().text(),
                row.getLong(2),
                row.getLong(3)));
      }
    } catch (RuntimeException e) {
      // Money counters then begin at zero, which Prometheus takes for a counter's restart.
      LOG.warnf("money counters begin at zero: %s", e.getMessage());
    }
    return sums;
  }

  private static String provider(PolicySet policies, ClusterName cluster) {
    return Optional.ofNullable(policies.clusters().get(cluster))
        .map(ClusterPolicy::provider)
        .orElse("unknown");
  }
}
