package io.spillway.server.gateway;

import io.spillway.scheduler.model.ClusterName;
import io.vertx.core.Future;
import io.vertx.sqlclient.Pool;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.Tuple;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.jboss.logging.Logger;

/** Reads what agents are to be told from the attempt rows. */
final class CommandRows {
  static final int PAGE = 1_000;

  private static final Logger LOG = Logger.getLogger(CommandRows.class);

  private final Pool pool;
  private final CommandTranslation translation;

  CommandRows(Pool pool, CommandTranslation translation) {
    this.pool = pool;
    this.translation = translation;
  }

  /** A place in the order of the journal. */
  record Mark(long seq, String job, int number) {
    static final Mark START = new Mark(0, "", 0);
  }

  /**
   * @param next where to read on
   * @param last whether this was all there is now
   */
  record Page(List<Command> commands, Mark next, boolean last) {}

  /** Commands after the mark, in the order of the journal. */
  Future<Page> after(Collection<ClusterName> clusters, Mark mark) {
    // By attempt_commands (cluster, command_seq) where command is not null. Only a stop needs the
    // core's record, only a launch the specification. Nobody confirms a release: it stays in the
    // row and is told for an hour; what still holds nodes after that is a stray of the next sweeps.
    return pool.preparedQuery(
            """
            select a.cluster, a.job_id, a.number, a.offering, a.command, a.command_seq,
                   a.command_epoch, a.reason, a.core_format,
                   case when a.command = 'STOP' then a.core end as core, s.spec::text as spec,
                   case when s.spec is not null then array(
                     select distinct e.cluster from attempt e
                      where e.job_id = a.job_id and e.number < a.number
                        and e.core::jsonb -> 'runningSince' <> 'null') end as earlier
              from attempt a
              left join job_spec s on s.job_id = a.job_id and a.command in ('START', 'HOLD')
             where a.cluster = any($1) and a.command is not null and a.command_seq >= $2
               and (a.command <> 'RELEASE' or a.ended_at > clock_timestamp() - interval '1 hour')
               and (a.command_seq, a.job_id, a.number) > ($2, $3, $4)
             order by a.command_seq, a.job_id, a.number
             limit $5
            """)
        .execute(Tuple.of(names(clusters), mark.seq(), mark.job(), mark.number(), PAGE))
        .map(
            rows -> {
              Mark next = mark;
              List<Command> commands = new ArrayList<>(rows.size());
              for (Row row : rows) {
                next =
                    new Mark(
                        row.getLong("command_seq"),
                        row.getString("job_id"),
                        row.getInteger("number"));
                add(row, commands);
              }
              return new Page(commands, next, rows.size() < PAGE);
            });
  }

  /** All stops that wait, those of attempts that were given up first. */
  Future<List<Command>> stops(Collection<ClusterName> clusters) {
    return pool.preparedQuery(
            """
            select a.cluster, a.job_id, a.number, a.offering, a.command, a.command_seq,
                   a.command_epoch, a.reason, a.core_format, a.core, null::text as spec
              from attempt a
             where a.cluster = any($1) and a.command = 'STOP'
             order by a.ended_at is null, a.command_seq, a.job_id, a.number
            """)
        .execute(Tuple.of(names(clusters)))
        .map(
            rows -> {
              List<Command> commands = new ArrayList<>(rows.size());
              rows.forEach(row -> add(row, commands));
              return commands;
            });
  }

  /** One row that cannot be read must not keep the others from their agents. */
  private void add(Row row, List<Command> commands) {
    try {
      commands.add(translation.of(row));
    } catch (RuntimeException e) {
      LOG.errorf(
          e,
          "command not sent: attempt=%s-%d command=%s",
          row.getString("job_id"),
          row.getInteger("number"),
          row.getString("command"));
    }
  }

  private static String[] names(Collection<ClusterName> clusters) {
    return clusters.stream().map(ClusterName::value).toArray(String[]::new);
  }
}
