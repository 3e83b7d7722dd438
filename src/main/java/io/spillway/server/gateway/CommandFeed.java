package io.spillway.server.gateway;

import io.spillway.scheduler.model.ClusterName;
import io.spillway.server.gateway.CommandRows.Mark;
import io.spillway.server.loop.StateReader;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jboss.logging.Logger;

/**
 * Brings commands to the connected agents: woken by each commit that could have made one, it reads
 * what is new for all of them in one query. A stream that has just been opened is first told all
 * that is open, stops before all else. Everything is read again every now and then, and a stream
 * sends again what it sent long ago: a command stays until a report made it moot. Nothing is read
 * in RECOVERY. Runs on one context of its own; {@link #wake} and {@link #opened} may be called from
 * any thread.
 */
final class CommandFeed {
  private static final Logger LOG = Logger.getLogger(CommandFeed.class);

  private final Context context;
  private final CommandRows rows;
  private final ManifestSource manifests;
  private final Streams streams;
  private final ClusterFacts facts;
  private final StateReader state;
  private final long fullEveryNanos;

  private final AtomicBoolean woken = new AtomicBoolean();
  // On the context only.
  private final Set<AgentStream> fresh = new HashSet<>();
  private final Set<AgentStream> live = new HashSet<>();
  private final List<Command> strays = new ArrayList<>();
  private Mark mark = Mark.START;
  private boolean running;
  private boolean again;
  private long lastFull = System.nanoTime();

  CommandFeed(
      Vertx vertx,
      CommandRows rows,
      ManifestSource manifests,
      Streams streams,
      ClusterFacts facts,
      StateReader state,
      Duration fullEvery) {
    this.context = vertx.getOrCreateContext();
    this.rows = rows;
    this.manifests = manifests;
    this.streams = streams;
    this.facts = facts;
    this.state = state;
    this.fullEveryNanos = fullEvery.toNanos();
  }

  /** There may be something to tell. */
  void wake() {
    if (woken.compareAndSet(false, true)) {
      context.runOnContext(
          run -> {
            woken.set(false);
            run();
          });
    }
  }

  /** The stream's session is committed: from now on it is told. */
  void opened(AgentStream stream) {
    context.runOnContext(
        run -> {
          fresh.add(stream);
          run();
        });
  }

  void closed(AgentStream stream) {
    context.runOnContext(
        run -> {
          fresh.remove(stream);
          live.remove(stream);
        });
  }

  /** A workload that nobody accounts for is to be stopped. */
  void stray(Command stop) {
    context.runOnContext(
        run -> {
          strays.add(stop);
          run();
        });
  }

  private void run() {
    if (running) {
      again = true;
      return;
    }
    if (facts.recovery()) {
      // What was told before may be of a time that is gone: afterwards all is told anew.
      fresh.addAll(live);
      live.clear();
      strays.clear();
      return;
    }
    if (fresh.isEmpty() && live.isEmpty()) {
      // Whoever connects is told by the state which strays are to be stopped by then.
      strays.clear();
      return;
    }
    running = true;
    again = false;
    manifests
        .prepare(clusters(union()))
        .compose(ready -> tell())
        .onComplete(
            done -> {
              running = false;
              if (done.failed()) {
                LOG.warnf("commands not read, tried again at the next wake: %s", done.cause());
              } else if (again) {
                run();
              }
            });
  }

  private Future<Void> tell() {
    deliver(List.copyOf(strays));
    strays.clear();
    boolean full = System.nanoTime() - lastFull > fullEveryNanos;
    if (full) {
      lastFull = System.nanoTime();
      return catchUp(List.copyOf(fresh), union()).compose(done -> newest());
    }
    return fresh.isEmpty()
        ? newest()
        : catchUp(List.copyOf(fresh), List.copyOf(fresh)).compose(done -> newest());
  }

  private List<AgentStream> union() {
    Set<AgentStream> all = new HashSet<>(live);
    all.addAll(fresh);
    return List.copyOf(all);
  }

  /** All that is open for these streams; the newly opened of them are live afterwards. */
  private Future<Void> catchUp(List<AgentStream> opened, List<AgentStream> all) {
    List<ClusterName> clusters = clusters(all);
    return strayStops(clusters)
        .onSuccess(this::deliver)
        .compose(done -> rows.stops(clusters))
        .onSuccess(this::deliver)
        .compose(done -> pages(clusters, Mark.START))
        .map(
            done -> {
              for (AgentStream stream : opened) {
                if (fresh.remove(stream)) {
                  live.add(stream);
                  stream.toldAll();
                }
              }
              return null;
            });
  }

  private Future<List<Command>> strayStops(Collection<ClusterName> clusters) {
    Context here = context;
    io.vertx.core.Promise<List<Command>> found = io.vertx.core.Promise.promise();
    state
        .<List<Command>>read(
            view ->
                clusters.stream()
                    .flatMap(cluster -> view.strays(cluster).stream())
                    .filter(stray -> stray.stopping())
                    .map(
                        stray ->
                            CommandTranslation.ofStray(
                                stray.cluster(),
                                stray.attempt(),
                                Math.max(stray.attemptEpoch(), view.system().epoch()),
                                facts.head()))
                    .toList())
        .whenComplete(
            (stops, failure) ->
                here.runOnContext(
                    back -> {
                      if (failure == null) {
                        found.complete(stops);
                      } else {
                        found.fail(failure);
                      }
                    }));
    return found.future();
  }

  private Future<Void> newest() {
    return live.isEmpty()
        ? Future.succeededFuture()
        : pages(clusters(live), mark).map(reached -> moved(reached));
  }

  private Void moved(Mark reached) {
    mark = reached;
    return null;
  }

  private Future<Mark> pages(List<ClusterName> clusters, Mark from) {
    return rows.after(clusters, from)
        .compose(
            page -> {
              deliver(page.commands());
              return page.last()
                  ? Future.succeededFuture(page.next())
                  : pages(clusters, page.next());
            });
  }

  private void deliver(List<Command> commands) {
    Map<ClusterName, List<Command>> byCluster = new HashMap<>();
    for (Command command : commands) {
      byCluster.computeIfAbsent(command.cluster(), cluster -> new ArrayList<>()).add(command);
    }
    byCluster.forEach(
        (cluster, told) ->
            streams
                .of(cluster)
                .filter(stream -> live.contains(stream) || fresh.contains(stream))
                .ifPresent(stream -> stream.tell(told)));
  }

  private static List<ClusterName> clusters(Collection<AgentStream> streams) {
    return streams.stream().map(AgentStream::cluster).distinct().toList();
  }
}
