package io.spillway.server.replay;

import io.spillway.scheduler.cycle.CoreSettings;
import io.spillway.scheduler.cycle.SchedulerCore;
import io.spillway.server.codec.StoreCodec;
import io.spillway.server.store.Database;
import io.vertx.core.Vertx;
import java.io.PrintStream;
import java.util.List;
import java.util.Optional;

/**
 * {@code replay postgresql://host:port/database [user] [--from-memo]}; the password is taken from
 * {@code PGPASSWORD}. Ends with 0 if every decision is the same, 1 if one differs, 2 if there is
 * nothing to compare.
 */
public final class ReplayMain {
  private static final String USAGE =
      "usage: replay postgresql://host:port/database [user] [--from-memo]; password in PGPASSWORD";

  private ReplayMain() {}

  public static void main(String[] arguments) {
    System.exit(run(List.of(arguments), System.out));
  }

  /** The exit status. */
  public static int run(List<String> arguments, PrintStream out) {
    List<String> plain = arguments.stream().filter(word -> !word.startsWith("--")).toList();
    if (plain.isEmpty()) {
      out.println(USAGE);
      return 2;
    }
    String user = plain.size() > 1 ? plain.get(1) : "postgres";
    String password = Optional.ofNullable(System.getenv("PGPASSWORD")).orElse("postgres");
    Vertx vertx = Vertx.vertx();
    try (Database database = new Database(vertx, plain.getFirst(), user, password)) {
      StoreCodec codec = new StoreCodec();
      SchedulerCore core = new SchedulerCore(CoreSettings.DEFAULT);
      Replay replay = new Replay(new JournalReader(database, codec, "main"), codec, core);
      long started = System.nanoTime();
      Verdict verdict =
          arguments.contains("--from-memo") ? replay.fromTheMemo() : replay.fromTheBeginning();
      return tell(verdict, core.version(), (System.nanoTime() - started) / 1_000_000, out);
    } finally {
      vertx.close().toCompletionStage().toCompletableFuture().join();
    }
  }

  private static int tell(Verdict verdict, String version, long millis, PrintStream out) {
    switch (verdict) {
      case Verdict.Same same -> {
        out.printf(
            "%d decisions up to seq %d decided again in %d ms: all the same (core %s)%n",
            same.decisions(), same.head(), millis, version);
        return 0;
      }
      case Verdict.Differs differs -> {
        out.printf(
            "first difference: cycle %d (journal seq %d, %s), decided by core %s, now by %s%n",
            differs.cycle().id(), differs.seq(), differs.cycle().now(), differs.core(), version);
        out.println("then:");
        differs.recorded().forEach(event -> out.println("  " + event));
        out.println("now:");
        differs.decided().forEach(event -> out.println("  " + event));
        return 1;
      }
      case Verdict.Unusable unusable -> {
        out.println("cannot replay: " + unusable.why());
        return 2;
      }
    }
  }
}
