package io.spillway.server.store;

import io.spillway.scheduler.event.JobEvent;
import io.spillway.scheduler.lifecycle.Job;
import io.spillway.scheduler.plan.Evaluation;
import io.spillway.server.codec.StoreCodec;
import io.spillway.server.loop.Journal;
import io.vertx.core.json.JsonObject;
import io.vertx.sqlclient.Tuple;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;

/** The statements of one commit, one per table. */
final class CommitStatements {
  /** The channel of those who follow the journal. */
  static final String CHANNEL = "spillway_journal";

  private static final long NANOS_BETWEEN_NOTIFIES = 10_000_000L;

  private static final String FENCE = "select fence($1, $2)";
  private static final String HEAD = "select advance_head($1, $2, $3, $4, $5, $6, $7)";

  private static final String JOURNAL =
      """
      insert into journal (cell, seq, epoch, cycle, now, seed, core_version, policy, plan_hash,
        digest, format, inputs, events)
      values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)
      """;

  private static final String CURSORS =
      """
      update inbox_writer w set seq = c.seq
      from unnest($1::text[], $2::bigint[]) as c(writer, seq)
      where w.writer = c.writer and w.seq < c.seq
      """;

  private static final String LABELS =
      """
      update job j set labels = l.labels::jsonb
      from unnest($1::text[], $2::text[]) as l(id, labels) where j.id = l.id
      """;

  // Jobs point to it by class; a class judged twice in a cycle keeps the later judgement.
  private static final String EVALUATIONS =
      """
      insert into evaluation (cell, seq, shape_class, queue, body, decided_at)
      select $1, $2, e.shape_class, e.queue, e.body::jsonb, $3
      from unnest($4::text[], $5::text[], $6::text[]) as e(shape_class, queue, body)
      on conflict (cell, seq, shape_class, decided_at) do nothing
      """;

  private final StoreCodec codec;
  private final String cell;
  private long lastNotify = System.nanoTime() - NANOS_BETWEEN_NOTIFIES;

  CommitStatements(StoreCodec codec, String cell) {
    this.codec = codec;
    this.cell = cell;
  }

  void send(PipelinedTransaction transaction, Journal.Proposal proposal) {
    Journal.Entry entry = proposal.entry();
    long epoch = entry.cycle().epoch();
    OffsetDateTime now = at(entry.cycle().now());
    transaction.send(FENCE, Tuple.of(cell, epoch));
    transaction.send(
        HEAD,
        Tuple.of(cell, entry.seq() - 1, epoch, entry.cycle().id(), now, entry.planHash())
            .addLong(entry.digest()));
    transaction.send(JOURNAL, journal(proposal, now));
    List<Job> jobs = JobUpdate.rewritten(proposal);
    if (!jobs.isEmpty()) {
      transaction.send(JobUpdate.SQL, JobUpdate.tuple(codec, jobs, entry.seq()));
    }
    if (!proposal.attempts().isEmpty()) {
      transaction.send(
          AttemptUpsert.SQL,
          AttemptUpsert.tuple(codec, cell, proposal.attempts(), entry.seq(), epoch));
    }
    if (!proposal.taken().cursors().isEmpty()) {
      transaction.send(
          CURSORS,
          Tuple.tuple()
              .addArrayOfString(proposal.taken().cursors().keySet().toArray(String[]::new))
              .addArrayOfLong(proposal.taken().cursors().values().toArray(Long[]::new)));
    }
    sendLabels(transaction, entry);
    sendEvaluations(transaction, proposal, now);
    if (notifyNow()) {
      transaction.send("select pg_notify($1, '')", Tuple.of(CHANNEL));
    }
  }

  private Tuple journal(Journal.Proposal proposal, OffsetDateTime now) {
    Journal.Entry entry = proposal.entry();
    return Tuple.tuple()
        .addString(cell)
        .addLong(entry.seq())
        .addLong(entry.cycle().epoch())
        .addLong(entry.cycle().id())
        .addOffsetDateTime(now)
        .addLong(entry.cycle().seed())
        .addString(entry.core())
        .addString(entry.policy())
        .addString(entry.planHash())
        .addLong(entry.digest())
        .addInteger(StoreCodec.FORMAT)
        .addString(codec.received(proposal.taken().inputs().received()))
        .addString(codec.events(entry.events()));
  }

  private static void sendLabels(PipelinedTransaction transaction, Journal.Entry entry) {
    List<JobEvent.LabelsChanged> changed =
        entry.events().stream()
            .filter(JobEvent.LabelsChanged.class::isInstance)
            .map(JobEvent.LabelsChanged.class::cast)
            .toList();
    // One by one and in order: two changes of one job in a cycle must not be left to chance.
    for (JobEvent.LabelsChanged change : changed) {
      transaction.send(
          LABELS,
          Tuple.tuple()
              .addArrayOfString(new String[] {change.job().value()})
              .addArrayOfString(
                  new String[] {
                    new JsonObject(new java.util.TreeMap<>(change.labels())).encode()
                  }));
    }
  }

  private void sendEvaluations(
      PipelinedTransaction transaction, Journal.Proposal proposal, OffsetDateTime now) {
    List<Evaluation> evaluations = proposal.evaluations().reversed();
    if (evaluations.isEmpty()) {
      return;
    }
    transaction.send(
        EVALUATIONS,
        Tuple.of(cell, proposal.entry().seq(), now)
            .addArrayOfString(
                evaluations.stream().map(Evaluation::shapeClass).toArray(String[]::new))
            .addArrayOfString(
                evaluations.stream().map(e -> e.queue().value()).toArray(String[]::new))
            .addArrayOfString(
                evaluations.stream()
                    .map(e -> codec.write(Evaluation.class, e))
                    .toArray(String[]::new)));
  }

  private boolean notifyNow() {
    long now = System.nanoTime();
    boolean due = now - lastNotify >= NANOS_BETWEEN_NOTIFIES;
    if (due) {
      lastNotify = now;
    }
    return due;
  }

  static OffsetDateTime at(Instant instant) {
    return instant.atOffset(ZoneOffset.UTC);
  }
}
