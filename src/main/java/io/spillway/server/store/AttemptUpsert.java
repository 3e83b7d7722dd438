package io.spillway.server.store;

import io.spillway.scheduler.lifecycle.Attempt;
import io.spillway.scheduler.lifecycle.AttemptState;
import io.spillway.scheduler.lifecycle.Reason;
import io.spillway.server.codec.StoreCodec;
import io.vertx.sqlclient.Tuple;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** Changed attempts, all in one statement, with what their agents must be told. */
final class AttemptUpsert {
  static final String SQL =
      """
      insert into attempt (job_id, number, cell, cluster, offering, state, outcome, reason, epoch,
        created_at, ended_at, core, core_format, command, command_seq, command_epoch, updated_seq)
      select u.job_id, u.number, $1, u.cluster, u.offering, u.state, u.outcome, u.reason, u.epoch,
        u.created_at, u.ended_at, u.core, $2::int, u.command,
        case when u.command is null then null else $3::bigint end, u.command_epoch, $3::bigint
      from unnest($4::text[], $5::int[], $6::text[], $7::text[], $8::text[], $9::text[],
        $10::text[], $11::bigint[], $12::timestamptz[], $13::timestamptz[], $14::text[],
        $15::text[], $16::bigint[])
        as u(job_id, number, cluster, offering, state, outcome, reason, epoch, created_at,
          ended_at, core, command, command_epoch)
      on conflict (job_id, number) do update set state = excluded.state,
        outcome = excluded.outcome, reason = excluded.reason, ended_at = excluded.ended_at,
        core = excluded.core, core_format = excluded.core_format, command = excluded.command,
        command_seq = excluded.command_seq, command_epoch = excluded.command_epoch,
        updated_seq = excluded.updated_seq
      """;

  private AttemptUpsert() {}

  /** What an agent must be told, and the epoch that the message carries. */
  enum Command {
    HOLD,
    RELEASE,
    START,
    STOP
  }

  static Tuple tuple(StoreCodec codec, String cell, List<Attempt> attempts, long seq, long epoch) {
    return Tuple.of(cell, StoreCodec.FORMAT, seq)
        .addArrayOfString(column(attempts, a -> a.id().job().value()))
        .addArrayOfInteger(attempts.stream().map(a -> a.id().number()).toArray(Integer[]::new))
        .addArrayOfString(column(attempts, a -> a.placement().offering().cluster().value()))
        .addArrayOfString(column(attempts, a -> a.placement().offering().text()))
        .addArrayOfString(column(attempts, a -> a.state().label()))
        .addArrayOfString(column(attempts, a -> ended(a).map(e -> e.outcome().name()).orElse(null)))
        .addArrayOfString(column(attempts, a -> reason(a).map(Reason::name).orElse(null)))
        .addArrayOfLong(attempts.stream().map(Attempt::epoch).toArray(Long[]::new))
        .addArrayOfOffsetDateTime(
            attempts.stream().map(a -> since(a.state())).toArray(OffsetDateTime[]::new))
        .addArrayOfOffsetDateTime(
            attempts.stream()
                .map(a -> ended(a).map(e -> CommitStatements.at(e.at())).orElse(null))
                .toArray(OffsetDateTime[]::new))
        .addArrayOfString(column(attempts, a -> codec.write(Attempt.class, a)))
        .addArrayOfString(column(attempts, a -> command(a).map(Command::name).orElse(null)))
        .addArrayOfLong(
            attempts.stream()
                .map(a -> command(a).map(c -> epochOf(c, a, epoch)).orElse(null))
                .toArray(Long[]::new));
  }

  /** Empty once the agent's report made it moot. */
  static Optional<Command> command(Attempt attempt) {
    return switch (attempt.state()) {
      case AttemptState.Intended i -> i.held() ? Optional.empty() : Optional.of(Command.HOLD);
      case AttemptState.Launching l -> Optional.of(Command.START);
      case AttemptState.Unknown u -> Optional.empty();
      case AttemptState.Starting s -> Optional.empty();
      case AttemptState.Running r -> Optional.empty();
      case AttemptState.Ending e -> Optional.of(Command.STOP);
      case AttemptState.Ended e ->
          switch (e.outcome()) {
            case FENCED -> e.settled() ? Optional.empty() : Optional.of(Command.STOP);
            case DROPPED -> Optional.of(Command.RELEASE);
            case SUCCEEDED, FAILED, INFRASTRUCTURE, INTERRUPTED, REFUSED, STOPPED ->
                Optional.empty();
          };
    };
  }

  /** A stop carries the present epoch, which is at least that of the start. */
  private static long epochOf(Command command, Attempt attempt, long epoch) {
    return command == Command.STOP || command == Command.RELEASE ? epoch : attempt.epoch();
  }

  private static Optional<AttemptState.Ended> ended(Attempt attempt) {
    return attempt.state() instanceof AttemptState.Ended ended
        ? Optional.of(ended)
        : Optional.empty();
  }

  private static Optional<Reason> reason(Attempt attempt) {
    return switch (attempt.state()) {
      case AttemptState.Ending ending -> Optional.of(ending.reason());
      case AttemptState.Ended ended -> Optional.of(ended.reason());
      default -> Optional.empty();
    };
  }

  /** For the insert only: an attempt's first state is the moment that it was made. */
  private static OffsetDateTime since(AttemptState state) {
    Instant since =
        switch (state) {
          case AttemptState.Intended s -> s.since();
          case AttemptState.Launching s -> s.since();
          case AttemptState.Unknown s -> s.since();
          case AttemptState.Starting s -> s.since();
          case AttemptState.Running s -> s.since();
          case AttemptState.Ending s -> s.since();
          case AttemptState.Ended s -> s.at();
        };
    return CommitStatements.at(since);
  }

  private static String[] column(List<Attempt> attempts, Function<Attempt, String> column) {
    return attempts.stream().map(column).toArray(String[]::new);
  }
}
