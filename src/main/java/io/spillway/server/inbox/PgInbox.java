package io.spillway.server.inbox;

import io.smallrye.mutiny.Uni;
import io.spillway.scheduler.input.CommandInput;
import io.spillway.scheduler.input.Input;
import io.spillway.scheduler.input.Lane;
import io.spillway.scheduler.lifecycle.Job;
import io.spillway.scheduler.lifecycle.JobState;
import io.spillway.scheduler.lifecycle.Reason;
import io.spillway.scheduler.lifecycle.Standing;
import io.spillway.scheduler.state.ShapeClass;
import io.spillway.server.codec.StoreCodec;
import io.spillway.server.store.Database;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/** The inbox on PostgreSQL: this process's writers of each lane, group commit. */
public final class PgInbox implements Inbox, Submissions {
  private static final InboxKey NOTHING = new InboxKey("", 0);

  private final Database database;
  private final StoreCodec codec;
  private final CursorWatch watch;
  private final InboxGauge gauge;
  private final Clock clock;
  private final Lanes lanes;

  /**
   * @param place the cell and the replica's name
   */
  public PgInbox(
      Database database,
      StoreCodec codec,
      Place place,
      InboxBell bell,
      CursorWatch watch,
      InboxGauge gauge,
      Clock clock) {
    this.database = database;
    this.codec = codec;
    this.watch = watch;
    this.gauge = gauge;
    this.clock = clock;
    this.lanes =
        new Lanes(
            database,
            place.cell(),
            place.replica(),
            bell,
            repeated -> new RepeatedJobs(database).answer(repeated));
  }

  /** Which cell's inbox, and who writes. */
  public record Place(String cell, String replica) {}

  @Override
  public Uni<InboxKey> append(Lane lane, String actor, List<Input> inputs) {
    if (inputs.isEmpty()) {
      return Uni.createFrom().item(NOTHING);
    }
    return answered(
        () -> {
          PendingItem.Row row = row(actor, inputs);
          lanes.add(lane, List.of(row));
          return row.done();
        });
  }

  @Override
  public Uni<InboxKey> appendFrom(Lane lane, String actor, List<Input> inputs, OffsetMove move) {
    return answered(
        () -> {
          PendingItem.Row row = row(actor, inputs);
          lanes.addFromKafka(lane, new PendingItem.Move(move, row));
          return inputs.isEmpty() ? row.done().thenApply(key -> NOTHING) : row.done();
        });
  }

  @Override
  public Uni<List<Outcome>> submit(List<NewJob> jobs) {
    return answered(
        () -> {
          List<PendingItem.Job> items = jobs.stream().map(this::item).toList();
          lanes.add(Lane.COMMANDS, items);
          CompletableFuture<?>[] all =
              items.stream().map(PendingItem.Job::done).toArray(CompletableFuture<?>[]::new);
          return CompletableFuture.allOf(all)
              .thenApply(
                  done ->
                      items.stream()
                          .map(item -> item.done().join())
                          .map(Outcome.class::cast)
                          .toList());
        });
  }

  @Override
  public Uni<Boolean> committed(InboxKey key, Duration timeout) {
    if (key.equals(NOTHING)) {
      return Uni.createFrom().item(true);
    }
    return answered(
        () -> {
          CompletableFuture<Boolean> passed = watch.await(key);
          if (!passed.isDone()) {
            long timer =
                database
                    .vertx()
                    .setTimer(Math.max(1, timeout.toMillis()), fired -> watch.giveUp(key, passed));
            var _ = passed.thenRun(() -> database.vertx().cancelTimer(timer));
          }
          return passed;
        });
  }

  @Override
  public Load load() {
    return gauge.load();
  }

  /** Takes nothing more; answers whether all that waited is written. */
  public boolean close() {
    lanes.close();
    return lanes.areIdle();
  }

  private PendingItem.Row row(String actor, List<Input> inputs) {
    return new PendingItem.Row(
        actor, inputs.size(), codec.inputs(inputs), new CompletableFuture<>());
  }

  private PendingItem.Job item(NewJob job) {
    // What the row says until the loop takes it; the place in the queue is the database's time.
    Instant now = clock.instant().truncatedTo(ChronoUnit.MILLIS);
    Job untaken =
        new Job(
            job.id(),
            job.order(),
            now,
            new JobState.Queued(now, Reason.SUBMITTED, Optional.empty()),
            Standing.FRESH,
            0,
            Duration.ZERO);
    Input input = new CommandInput.JobSubmitted(job.id(), job.order());
    return new PendingItem.Job(
        job,
        codec.write(Job.class, untaken),
        ShapeClass.of(untaken).text(),
        codec.write(Input.class, input),
        new CompletableFuture<>());
  }

  /** The answer comes back on the caller's Vert.x context, if it has one. */
  private static <T> Uni<T> answered(java.util.function.Supplier<CompletableFuture<T>> work) {
    return Uni.createFrom()
        .emitter(
            emitter -> {
              Context context = Vertx.currentContext();
              var _ =
                  work.get()
                      .whenComplete(
                          (result, failure) -> {
                            Runnable answer =
                                () -> {
                                  if (failure == null) {
                                    emitter.complete(result);
                                  } else {
                                    emitter.fail(
                                        failure instanceof CompletionException wrapped
                                                && wrapped.getCause() != null
                                            ? wrapped.getCause()
                                            : failure);
                                  }
                                };
                            if (context == null) {
                              answer.run();
                            } else {
                              context.runOnContext(on -> answer.run());
                            }
                          });
            });
  }
}
