package io.spillway.server.gateway;

import io.spillway.protocol.v1.AgentGatewayGrpc;
import io.spillway.protocol.v1.LogChunk;
import io.spillway.protocol.v1.Refused;
import io.spillway.scheduler.model.ClusterName;
import io.spillway.server.config.GatewayConfig;
import io.spillway.server.gateway.CommandTranslation.Words;
import io.spillway.server.inbox.Inbox;
import io.spillway.server.loop.StateReader;
import io.spillway.server.progress.ProgressBook;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.grpc.common.GrpcMessageDecoder;
import io.vertx.grpc.common.GrpcMessageEncoder;
import io.vertx.grpc.common.ServiceMethod;
import io.vertx.grpc.common.ServiceName;
import io.vertx.grpc.server.GrpcServer;
import io.vertx.grpc.server.GrpcServerOptions;
import io.vertx.grpc.server.GrpcServerRequest;
import io.vertx.sqlclient.Pool;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jboss.logging.Logger;

/**
 * One replica's gateway put together, without a framework: the handler of the HTTP requests, the
 * rounds of the session watch and the slow poll. Frames are read as bytes, so that what is no frame
 * gets an answer and not only a status.
 */
final class Gateway implements Door.Hallway {
  /** Where agents connect to. */
  static final String PATH = "/" + AgentGatewayGrpc.SERVICE_NAME + "/Connect";

  private static final Logger LOG = Logger.getLogger(Gateway.class);
  private static final ServiceMethod<Buffer, Buffer> CONNECT =
      ServiceMethod.server(
          ServiceName.create(AgentGatewayGrpc.SERVICE_NAME),
          "Connect",
          GrpcMessageEncoder.IDENTITY,
          GrpcMessageDecoder.IDENTITY);

  private final Vertx vertx;
  private final GatewayConfig config;
  private final ClusterFacts facts = new ClusterFacts();
  private final Streams streams = new Streams();
  private final Door door;
  private final CommandFeed feed;
  private final SessionWatch watch;
  private final LogDesk logs = new LogDesk();
  private final AgentMetrics metrics;
  private final StateReader state;
  private final AtomicBoolean watching = new AtomicBoolean();
  private final AtomicBoolean closing = new AtomicBoolean();
  private final List<Long> timers = new ArrayList<>();

  /** The store as the gateway uses it, and under which name this process stands in it. */
  record Place(
      Vertx vertx, Pool pool, String cell, String replica, String address, ProgressBook progress) {}

  Gateway(
      GatewayConfig config,
      Place place,
      Inbox inbox,
      StateReader state,
      Words words,
      Classifiers classifiers,
      AgentMetrics metrics) {
    this.vertx = place.vertx();
    this.config = config;
    this.state = state;
    this.metrics = metrics;
    this.door =
        new Door(
            config,
            new Doorkeeper(place.pool(), place.cell(), place.replica()),
            place.pool(),
            inbox,
            new Symptoms(facts, classifiers),
            facts,
            streams,
            this,
            words.clock(),
            place.progress());
    ManifestSource manifests =
        new ManifestSource(
            facts,
            words.documents(),
            cluster -> streams.of(cluster).flatMap(AgentStream::capabilities));
    this.feed =
        new CommandFeed(
            vertx,
            new CommandRows(
                place.pool(), new CommandTranslation(facts, manifests, words, config.grace())),
            manifests,
            streams,
            facts,
            state,
            config.resendAfter());
    this.watch =
        new SessionWatch(
            place.pool(),
            place.replica(),
            place.address(),
            config.replicaLease(),
            inbox,
            streams,
            state);
    metrics.streams(streams::size);
  }

  /** Handles the requests to {@link #PATH}. */
  Handler<HttpServerRequest> handler() {
    GrpcServer server =
        GrpcServer.server(vertx, new GrpcServerOptions().setMaxMessageSize(config.maxFrameBytes()));
    server.callHandler(CONNECT, this::connect);
    return server;
  }

  void start() {
    long third = Math.max(100, config.replicaLease().toMillis() / 3);
    timers.add(vertx.setPeriodic(50, third, tick -> round()));
    timers.add(vertx.setPeriodic(config.poll().toMillis(), tick -> feed.wake()));
  }

  /** Ends all streams; completes when the ends of their sessions are stored. */
  Future<Void> stop() {
    closing.set(true);
    timers.forEach(vertx::cancelTimer);
    List<Future<Void>> ends = new ArrayList<>();
    for (AgentStream stream : streams.all()) {
      ends.add(watch.end(stream.cluster(), stream.generation()));
      stream.expel(Refused.Why.RETRY_LATER, "this replica shuts down");
    }
    return Future.join(ends).mapEmpty();
  }

  /** As a kill would: nothing is said and nothing stored. */
  void vanish() {
    closing.set(true);
    timers.forEach(vertx::cancelTimer);
  }

  ClusterFacts facts() {
    return facts;
  }

  Streams streams() {
    return streams;
  }

  CommandFeed feed() {
    return feed;
  }

  private void connect(GrpcServerRequest<Buffer, Buffer> call) {
    AgentStream stream = new AgentStream(vertx.getOrCreateContext(), door, call, call.response());
    call.invalidMessageHandler(
        invalid ->
            stream.unreadable(
                "a frame over " + config.maxFrameBytes() + " bytes, or one that cannot be read"));
    call.errorHandler(error -> stream.leave());
    if (call.encoding() != null && !call.encoding().equals("identity")) {
      stream.unreadable("frames are not compressed here, grpc-encoding must be identity");
    } else if (closing.get()) {
      stream.expel(Refused.Why.RETRY_LATER, "this replica shuts down");
    }
  }

  private void round() {
    if (closing.get() || !watching.compareAndSet(false, true)) {
      return;
    }
    watch.round().onComplete(done -> watching.set(false));
    // A standby's copy of the state may have been loaded past the commit that took a session.
    for (AgentStream stream : streams.all()) {
      if (stream.awaitsCommit()) {
        state
            .read(view -> view.cluster(stream.cluster()).generation())
            .thenAccept(
                generation -> {
                  if (generation >= stream.generation()) {
                    stream.committed();
                  }
                });
      }
    }
  }

  @Override
  public void connected(AgentStream stream) {
    feed.opened(stream);
  }

  /** Empty when the cluster's agent has no stream here. */
  Optional<OpenLog> read(ClusterName cluster, AgentLogs.Wanted wanted) {
    return streams.of(cluster).map(stream -> logs.open(stream, wanted));
  }

  @Override
  public void logged(AgentStream stream, LogChunk chunk) {
    logs.took(stream, chunk);
  }

  @Override
  public void left(AgentStream stream, boolean own) {
    feed.closed(stream);
    logs.closed(stream);
    if (own && !closing.get()) {
      watch
          .end(stream.cluster(), stream.generation())
          .onFailure(
              failure ->
                  LOG.warnf(
                      "end of session %s/%d not stored, tried again: %s",
                      stream.cluster(), stream.generation(), failure.toString()));
    }
  }

  @Override
  public void heard(AgentStream stream) {
    metrics.heard(stream.cluster());
  }
}
