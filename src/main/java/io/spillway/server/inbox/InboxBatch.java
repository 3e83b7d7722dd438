package io.spillway.server.inbox;

import io.spillway.server.codec.StoreCodec;
import io.spillway.server.loop.CrashPoint;
import io.spillway.server.loop.CrashPoints;
import io.spillway.server.store.PipelinedTransaction;
import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.SqlConnection;
import io.vertx.sqlclient.Tuple;
import java.util.ArrayList;
import java.util.List;

/** The items of one transaction of one writer, numbered in their order. */
final class InboxBatch {
  private static final String REGISTER =
      """
      insert into inbox_writer (writer, cell, lane, replica) values ($1, $2, $3, $4)
      on conflict (writer) do nothing
      """;

  // A writer that was idle for long may have been retired. The lock keeps the retiring out until
  // this batch is visible to it; the update brings the writer back.
  private static final String OPEN =
      """
      with mine as (select writer, retired from inbox_writer where writer = $1 for key share)
      update inbox_writer w set retired = false from mine where w.writer = mine.writer and mine.retired
      """;

  private static final String ROWS =
      """
      insert into inbox (cell, writer, seq, lane, actor, inputs, format, payload)
      select $1, $2, r.seq, $3, r.actor, r.inputs, $4, r.payload
      from unnest($5::bigint[], $6::text[], $7::int[], $8::text[]) as r(seq, actor, inputs, payload)
      """;

  // The first move of a partition inserts; a row means that the offset is ours to move.
  private static final String MOVE =
      """
      with moved as (
        insert into consumer_offset as o (topic, partition, next_offset) values ($1, $2, $4)
        on conflict (topic, partition) do update set next_offset = excluded.next_offset
        where o.next_offset = $3
        returning 1),
      brought as (
        insert into inbox (cell, writer, seq, lane, actor, inputs, format, payload)
        select $5, $6, $7, $8, $9, $10::int, $11, $12 from moved where $10::int > 0)
      select 1 from moved
      """;

  // Uses job_idempotency. Jobs of one actor share an inbox row; a job that was not accepted is not
  // in it.
  private static final String JOBS =
      """
      with stamp as materialized (select clock_timestamp() as at),
      item as (
        select * from unnest($5::text[], $6::text[], $7::text[], $8::text[], $9::text[],
          $10::text[], $11::text[], $12::text[], $13::text[], $14::text[], $15::text[],
          $16::text[], $17::text[], $18::bigint[])
        with ordinality as t(id, queue, name, priority_class, actor, policy_version, key, body_hash,
          labels, core, shape_class, spec, input, seq, ord)),
      accepted as (
        insert into job (id, cell, queue, name, priority_class, state, reason, submitted_at,
          submitted_by, policy_version, idempotency_key, body_hash, labels, inbox_writer, inbox_seq,
          core, shape_class)
        select i.id, $1, i.queue, i.name, i.priority_class, 'QUEUED', 'SUBMITTED', s.at, i.actor,
          i.policy_version, i.key, i.body_hash, i.labels::jsonb, $2, i.seq, i.core,
          i.shape_class
        from item i, stamp s order by i.ord
        on conflict (queue, idempotency_key) do nothing
        returning id),
      spec as (
        insert into job_spec (job_id, spec)
        select i.id, i.spec::jsonb from item i join accepted using (id)),
      brought as (
        insert into inbox (cell, writer, seq, lane, actor, received_at, inputs, format, payload)
        select $1, $2, i.seq, $3, min(i.actor), min(s.at), count(*), $4,
          '[' || string_agg(i.input, ',' order by i.ord) || ']'
        from item i join accepted using (id), stamp s group by i.seq)
      select id from accepted
      """;

  private final WriterId writer;
  private final List<PendingItem> items;
  private long next;

  InboxBatch(WriterId writer, List<PendingItem> items, long firstSeq) {
    this.writer = writer;
    this.items = items;
    this.next = firstSeq;
  }

  /** The number after the last one used. */
  long nextSeq() {
    return next;
  }

  /**
   * Sends everything as one transaction. The result settles the items; it is to be run once the
   * transaction is known to be committed.
   */
  Future<Settlement> write(SqlConnection connection, boolean register, boolean notify) {
    PipelinedTransaction transaction = new PipelinedTransaction(connection);
    if (register) {
      transaction.send(
          REGISTER,
          Tuple.of(writer.writer(), writer.cell(), writer.laneNumber(), writer.replica()));
    } else {
      transaction.send(OPEN, Tuple.of(writer.writer()));
    }
    Settlement settlement = new Settlement(writer.writer());
    sendRows(transaction, settlement);
    sendMoves(transaction, settlement);
    boolean jobs = sendJobs(transaction, settlement);
    if (notify) {
      transaction.send("select pg_notify($1, '')", Tuple.of(InboxBell.CHANNEL));
    }
    if (jobs) {
      CrashPoints.reached(CrashPoint.SUBMIT_BEFORE_COMMIT);
    }
    return transaction
        .commit()
        .map(
            committed -> {
              if (jobs) {
                CrashPoints.reached(CrashPoint.SUBMIT_AFTER_COMMIT);
              }
              return settlement;
            });
  }

  private void sendRows(PipelinedTransaction transaction, Settlement settlement) {
    List<PendingItem.Row> rows = JoinedRows.of(of(PendingItem.Row.class));
    if (rows.isEmpty()) {
      return;
    }
    Long[] seqs = new Long[rows.size()];
    for (int i = 0; i < seqs.length; i++) {
      seqs[i] = next++;
      settlement.row(rows.get(i), seqs[i]);
    }
    transaction.send(
        ROWS,
        Tuple.of(writer.cell(), writer.writer(), writer.laneNumber(), StoreCodec.FORMAT)
            .addArrayOfLong(seqs)
            .addArrayOfString(rows.stream().map(PendingItem.Row::actor).toArray(String[]::new))
            .addArrayOfInteger(rows.stream().map(PendingItem.Row::inputs).toArray(Integer[]::new))
            .addArrayOfString(rows.stream().map(PendingItem.Row::payload).toArray(String[]::new)));
  }

  private void sendMoves(PipelinedTransaction transaction, Settlement settlement) {
    for (PendingItem.Move item : of(PendingItem.Move.class)) {
      long seq = next++;
      Inbox.OffsetMove move = item.move();
      Future<RowSet<Row>> moved =
          transaction.send(
              MOVE,
              Tuple.of(move.topic(), move.partition(), move.from(), move.to())
                  .addString(writer.cell())
                  .addString(writer.writer())
                  .addLong(seq)
                  .addInteger(writer.laneNumber())
                  .addString(item.row().actor())
                  .addInteger(item.row().inputs())
                  .addInteger(StoreCodec.FORMAT)
                  .addString(item.row().payload()));
      settlement.move(item, seq, moved);
    }
  }

  private boolean sendJobs(PipelinedTransaction transaction, Settlement settlement) {
    List<PendingItem.Job> jobs = of(PendingItem.Job.class);
    if (jobs.isEmpty()) {
      return false;
    }
    List<Long> seqs = new ArrayList<>(jobs.size());
    String actor = null;
    for (PendingItem.Job item : jobs) {
      if (!item.job().actor().equals(actor)) {
        actor = item.job().actor();
        next++;
      }
      seqs.add(next - 1);
    }
    Future<RowSet<Row>> accepted = transaction.send(JOBS, JobRows.tuple(writer, jobs, seqs));
    settlement.jobs(jobs, seqs, accepted);
    return true;
  }

  private <T extends PendingItem> List<T> of(Class<T> kind) {
    return items.stream().filter(kind::isInstance).map(kind::cast).toList();
  }
}
