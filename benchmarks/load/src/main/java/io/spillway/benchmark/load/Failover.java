package io.spillway.benchmark.load;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/**
 * Jobs on spot nodes with a reserved pool behind them. One by one their instances are announced to
 * go, or said to be gone; then the same with 10,000 other events before each ten.
 */
final class Failover implements Scenario {
  private static final int OTHERS = 10_000;
  private static final int BEHIND_EACH = 10;
  private static final int FOR_WARMTH = 10;
  private static final Duration PATIENCE = Duration.ofMinutes(1);
  private static final String RUNG =
      "{name: spot, capacityTypes: [spot], until: {interruptions: 1}}, ";

  private final int alone;
  private final int bursts;
  private final Map<String, Move> moves = new ConcurrentHashMap<>();
  private final Deque<Running> victims = new ArrayDeque<>();

  /** A job, its present attempt and that attempt's instance. */
  private record Running(String job, String attempt, String instance) {}

  /** One failover; times in milliseconds, 0 = not yet. */
  private static final class Move {
    private final long toldAt;
    private final String attempt;
    private volatile long heldAt;
    private volatile long startedAt;

    private Move(long toldAt, String attempt) {
      this.toldAt = toldAt;
      this.attempt = attempt;
    }

    private void heard(JobEvent event) {
      if (heldAt == 0 && event.type().equals("attempt.placed")) {
        heldAt = event.at();
      } else if (startedAt == 0 && event.type().equals("launching")) {
        startedAt = event.at();
      }
    }

    private long heldMillis() {
      return Math.max(0, heldAt - toldAt);
    }
  }

  /**
   * @param alone notices, and as many losses, one at a time
   * @param bursts of other events, for notices and for losses each
   */
  Failover(int alone, int bursts) {
    this.alone = alone;
    this.bursts = bursts;
  }

  @Override
  public String name() {
    return "failover";
  }

  @Override
  public String load() {
    return String.format(
        "%d notices and %d losses alone, %d of each behind %,d other events",
        alone, alone, bursts * BEHIND_EACH, OTHERS);
  }

  private int jobs() {
    return 2 * (alone + bursts * BEHIND_EACH) + FOR_WARMTH;
  }

  @Override
  public List<Figure> run() throws Exception {
    Policies policies =
        new Policies()
            .spot("spot", jobs() + 50)
            .pool("refuge", jobs() + 50)
            .queue("risky", RUNG + Policies.pools("refuge"), List.of("normal"));
    List<Figure> figures = new ArrayList<>();
    try (Lab lab = new Lab(new Lab.Setup(policies, 1, true));
        CloudEvents cloud = new CloudEvents(lab.world().broker().bootstrapServers())) {
      start(lab);
      Consumer<JobEvent> listener =
          event -> {
            Move move = moves.get(event.job());
            if (move != null) {
              move.heard(event);
            }
          };
      lab.events().listen(listener);
      alone(cloud, "interruption", FOR_WARMTH);
      List<Move> noticed = alone(cloud, "interruption", alone);
      List<Move> lost = alone(cloud, "loss", alone);
      figures.addAll(held(noticed).figures("failover.notice_to_held.alone"));
      figures.addAll(held(lost).figures("failover.loss_to_held.alone"));
      Map<String, Long> ends = ends(lab);
      figures.addAll(started(noticed, ends).figures("failover.end_to_start.alone"));
      List<Move> noticedBehind = behind(cloud, "interruption");
      List<Move> lostBehind = behind(cloud, "loss");
      figures.addAll(held(noticedBehind).figures("failover.notice_to_held.behind"));
      figures.addAll(held(lostBehind).figures("failover.loss_to_held.behind"));
      figures.addAll(started(noticedBehind, ends(lab)).figures("failover.end_to_start.behind"));
    }
    return figures;
  }

  private static Sample held(List<Move> moves) {
    return Sample.of(moves.stream().map(Move::heldMillis).toList());
  }

  /** From the moment that stands in the clouds' ledger. */
  private static Sample started(List<Move> moves, Map<String, Long> ends) {
    return Sample.of(
        moves.stream()
            .filter(move -> ends.containsKey(move.attempt))
            .map(move -> Math.max(0, move.startedAt - ends.get(move.attempt)))
            .toList());
  }

  private void start(Lab lab) throws IOException, InterruptedException {
    List<Load> loads = new ArrayList<>();
    for (int i = 0; i < jobs(); i++) {
      loads.add(new Load("spot", "risky", 3_600));
    }
    List<Course> courses = new ArrayList<>();
    for (int i = 0; i < loads.size(); i += 100) {
      courses.addAll(
          lab.submitter().submit(loads.subList(i, Math.min(loads.size(), i + 100))).join());
    }
    lab.submitter().check();
    Until.holds(
        "all jobs running",
        PATIENCE,
        () -> courses.stream().allMatch(course -> course.runningAt > 0));
    for (JsonNode cluster : lab.world().clouds().control().get("/clusters").ok()) {
      if (cluster.path("cluster").asText().equals("spot")) {
        for (JsonNode w : cluster.path("workloads")) {
          String attempt = w.path("attempt").asText();
          victims.add(
              new Running(
                  attempt.substring(0, attempt.lastIndexOf('-')),
                  attempt,
                  w.path("instances").path(0).asText()));
        }
      }
    }
    if (victims.size() < jobs()) {
      throw new IOException(victims.size() + " jobs on spot nodes, " + jobs() + " wanted");
    }
  }

  private List<Move> alone(CloudEvents cloud, String kind, int count)
      throws IOException, InterruptedException {
    List<Move> done = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      Move move = tell(cloud, kind);
      done.add(move);
      await(List.of(move));
    }
    return done;
  }

  private List<Move> behind(CloudEvents cloud, String kind)
      throws IOException, InterruptedException {
    List<Move> done = new ArrayList<>();
    for (int burst = 0; burst < bursts; burst++) {
      cloud.others(OTHERS);
      List<Move> these = new ArrayList<>();
      for (int i = 0; i < BEHIND_EACH; i++) {
        these.add(tell(cloud, kind));
      }
      await(these);
      done.addAll(these);
    }
    return done;
  }

  private Move tell(CloudEvents cloud, String kind) {
    Running victim = victims.remove();
    Move move = new Move(System.currentTimeMillis(), victim.attempt());
    moves.put(victim.job(), move);
    cloud.tell(kind, victim.instance(), move.toldAt);
    return move;
  }

  private static void await(List<Move> moves) throws IOException, InterruptedException {
    Until.holds(
        "replacement started", PATIENCE, () -> moves.stream().allMatch(m -> m.startedAt > 0));
  }

  private static Map<String, Long> ends(Lab lab) throws IOException {
    ObjectMapper json = new ObjectMapper();
    Map<String, Long> ends = new HashMap<>();
    for (String line : Files.readAllLines(lab.world().clouds().ledger())) {
      JsonNode fact = json.readTree(line);
      if (fact.path("event").asText().equals("end")) {
        ends.put(
            fact.path("attempt").asText(),
            Instant.parse(fact.path("wall").asText()).toEpochMilli());
      }
    }
    return ends;
  }
}
