package io.spillway.verify.kill;

import io.spillway.standalone.ServerProcess;
import io.spillway.standalone.StandaloneWorld;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;

/** Kills servers and starts them again, one thing after another. */
final class Killer {
  private static final Duration STARTUP = Duration.ofMinutes(2);
  private static final Duration UNTIL_POINT = Duration.ofSeconds(40);
  private static final int KILLED = 137;

  private final StandaloneWorld world;
  private final SplittableRandom random;
  private final Duration lease;
  private final List<Kill> kills = new ArrayList<>();

  Killer(StandaloneWorld world, long seed, Duration lease) {
    this.world = world;
    this.random = new SplittableRandom(seed);
    this.lease = lease;
  }

  /**
   * One kill.
   *
   * @param where a named point, {@code anywhere}, or {@code freeze} for a leader that slept
   * @param asMeant whether the process died at the point, not of waiting for it
   * @param ready from the start of the killed process's successor until it was ready
   */
  record Kill(int replicas, String where, boolean asMeant, Optional<Duration> ready) {}

  List<Kill> kills() {
    return List.copyOf(kills);
  }

  /** The only replica dies at each point in turn, and a few times anywhere. */
  void alone(int anywhere) throws IOException, InterruptedException {
    anywhere(0, 1);
    for (Point point : Point.values()) {
      awaitReady(start(0, Map.of("spillway.crash-at", point.drawn(random))), 1);
      awaitDeath(0, point, 1);
    }
    for (int i = 1; i < anywhere; i++) {
      awaitReady(start(0, Map.of()), 1);
      Pace.millis(500 + random.nextInt(2_500));
      anywhere(0, 1);
    }
    awaitReady(start(0, Map.of()), 1);
  }

  /** Two replicas, the one that leads as often as the other. */
  void inPairs() throws IOException, InterruptedException {
    int turn = 0;
    for (Point point : Point.values()) {
      int victim = turn % 2;
      int other = 1 - victim;
      turn++;
      anywhere(victim, 2);
      if (point == Point.TAKEOVER) {
        start(victim, Map.of("spillway.crash-at", point.drawn(random)));
        awaitStarted(victim);
        anywhere(other, 2);
        awaitDeath(victim, point, 2);
        awaitReady(start(other, Map.of()), 2);
      } else {
        awaitReady(start(victim, Map.of("spillway.crash-at", point.drawn(random))), 2);
        if (point.leaderOnly()) {
          anywhere(other, 2);
          awaitDeath(victim, point, 2);
          awaitReady(start(other, Map.of()), 2);
        } else {
          awaitDeath(victim, point, 2);
        }
      }
      awaitReady(start(victim, Map.of()), 2);
    }
  }

  /**
   * A leader stops in the middle of a commit, sleeps past its lease, and goes on where it was when
   * the other has long taken over.
   */
  void freeze(int victim) throws IOException, InterruptedException {
    int other = 1 - victim;
    anywhere(victim, 2);
    awaitReady(
        start(victim, Map.of("spillway.freeze-at", "commit-before:" + (3 + random.nextInt(20)))),
        2);
    anywhere(other, 2);
    boolean frozen = awaitFrozen(victim);
    start(other, Map.of());
    world.awaitReady(other);
    Pace.millis(lease.plusSeconds(2).toMillis());
    signal("CONT", victim);
    kills.add(new Kill(2, "freeze", frozen, Optional.empty()));
    Pace.millis(1_500);
  }

  private void anywhere(int replica, int replicas) {
    world.killServer(replica);
    kills.add(new Kill(replicas, "anywhere", true, Optional.empty()));
  }

  private ServerProcess start(int replica, Map<String, String> more) {
    return world.startServer(replica, more);
  }

  private void awaitDeath(int replica, Point point, int replicas) throws InterruptedException {
    ServerProcess server = world.server(replica);
    long until = System.nanoTime() + UNTIL_POINT.toNanos();
    while (server.process().alive() && System.nanoTime() < until) {
      Pace.millis(20);
    }
    boolean died = server.process().exitCode().filter(code -> code == KILLED).isPresent();
    if (server.process().alive()) {
      world.killServer(replica);
    }
    kills.add(new Kill(replicas, point.text(), died, Optional.empty()));
  }

  /** Waits until it is ready; that time belongs to the last kill. */
  private void awaitReady(ServerProcess server, int replicas)
      throws IOException, InterruptedException {
    long began = System.nanoTime();
    long until = began + STARTUP.toNanos();
    while (!server.ready()) {
      if (server.process().exitCode().filter(code -> code == KILLED).isPresent()) {
        return; // its point came before it was ready
      }
      if (!server.process().alive()) {
        throw new IOException(
            server.process().name() + " ended by itself, see " + server.process().log());
      }
      if (System.nanoTime() > until) {
        throw new IOException(server.process().name() + " did not become ready");
      }
      Pace.millis(50);
    }
    if (!kills.isEmpty()) {
      Kill last = kills.removeLast();
      kills.add(
          new Kill(
              replicas,
              last.where(),
              last.asMeant(),
              Optional.of(Duration.ofNanos(System.nanoTime() - began))));
    }
  }

  private void awaitStarted(int replica) throws InterruptedException {
    ServerProcess server = world.server(replica);
    while (server.process().alive() && !server.ready()) {
      Pace.millis(50);
    }
  }

  private boolean awaitFrozen(int replica) throws IOException, InterruptedException {
    Path stat = Path.of("/proc/" + world.server(replica).process().pid() + "/stat");
    for (int tick = 0; tick < 400 && world.server(replica).process().alive(); tick++) {
      if (Files.readString(stat).replaceFirst(".*\\) ", "").startsWith("T")) {
        return true;
      }
      Pace.millis(50);
    }
    return false;
  }

  private void signal(String name, int replica) throws IOException, InterruptedException {
    long pid = world.server(replica).process().pid();
    new ProcessBuilder("kill", "-" + name, Long.toString(pid)).start().waitFor();
  }
}
