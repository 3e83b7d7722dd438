package io.spillway.capacity.simulated.agent;

import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientResponseObserver;
import io.spillway.capacity.simulated.time.Timeline;
import io.spillway.protocol.v1.AgentFrame;
import io.spillway.protocol.v1.AgentGatewayGrpc;
import io.spillway.protocol.v1.AgentMessage;
import io.spillway.protocol.v1.Capabilities;
import io.spillway.protocol.v1.ControlFrame;
import io.spillway.protocol.v1.Heartbeat;
import io.spillway.protocol.v1.Hello;
import io.spillway.protocol.v1.MessageRefused;
import io.spillway.protocol.v1.Welcome;
import java.time.Duration;
import java.util.Optional;
import java.util.logging.Logger;

/**
 * The agent's one outbound stream: says hello, sends what waits, hears commands, and comes back
 * with growing patience when it breaks. Only from the timeline; gRPC's threads only hand over.
 */
final class AgentLink {
  private static final Logger LOG = Logger.getLogger(AgentLink.class.getName());
  private static final int PROTOCOL = 1;
  private static final Duration FIRST_RETRY = Duration.ofMillis(100);
  private static final Duration LAST_RETRY = Duration.ofSeconds(3);
  private static final Duration WELCOME_DEADLINE = Duration.ofSeconds(10);
  private static final Duration DEFAULT_SILENCE = Duration.ofSeconds(30);
  private static final Duration SWEEP = Duration.ofSeconds(30);

  private final Timeline timeline;
  private final String cluster;
  private final AgentMemory memory;
  private final Gateways gateways;
  private final Listener listener;
  private final Outbox outbox = new Outbox();
  private final long epoch;
  private Optional<Stream> current = Optional.empty();
  private int attempts;
  private int failures;
  private boolean flushing;
  private boolean stopped;
  private long partitionedUntil;

  /** What comes in. */
  interface Listener {
    /** The control plane takes this agent: time to tell everything. */
    void welcomed();

    void command(ControlFrame frame);

    /** Time for a full sweep. */
    void sweepDue();
  }

  AgentLink(
      Timeline timeline, String cluster, AgentMemory memory, Gateways gateways, Listener listener) {
    this.timeline = timeline;
    this.cluster = cluster;
    this.memory = memory;
    this.gateways = gateways;
    this.listener = listener;
    this.epoch = memory.nextEpoch(cluster);
  }

  void open() {
    timeline.every(
        SWEEP, () -> current.filter(s -> s.welcomed).ifPresent(s -> listener.sweepDue()));
    connect();
  }

  void close() {
    stopped = true;
    current.ifPresent(stream -> stream.abandon("the agent ends"));
  }

  /** Cuts the stream and opens none for that long. */
  void partition(Duration time) {
    partitionedUntil = timeline.monotonicMillis() + time.toMillis();
    current.ifPresent(stream -> stream.abandon("partitioned"));
  }

  boolean connected() {
    return current.filter(stream -> stream.welcomed).isPresent();
  }

  int unacknowledged() {
    return outbox.unacknowledged();
  }

  /** Sends a message, now or when there is a stream, and until it is acknowledged. */
  void send(AgentMessage.Builder message) {
    outbox.add(message);
    if (!flushing) {
      flushing = true;
      // Behind everything that is due now: what happens together goes in one frame.
      timeline.execute(this::flush);
    }
  }

  private void flush() {
    flushing = false;
    current.filter(stream -> stream.welcomed).ifPresent(Stream::pump);
  }

  private void connect() {
    if (stopped || current.isPresent()) {
      return;
    }
    long wait = partitionedUntil - timeline.monotonicMillis();
    if (wait > 0) {
      timeline.after(Duration.ofMillis(wait), this::connect);
      return;
    }
    Stream stream = new Stream();
    current = Optional.of(stream);
    stream.open();
  }

  private void lost(Stream stream, String why) {
    if (current.filter(stream::equals).isEmpty()) {
      return;
    }
    current = Optional.empty();
    failures = stream.welcomed ? 1 : failures + 1;
    Duration wait = FIRST_RETRY.multipliedBy(1L << Math.min(failures - 1, 10));
    wait = wait.compareTo(LAST_RETRY) > 0 ? LAST_RETRY : wait;
    LOG.fine(() -> "agent of " + cluster + " lost its stream: " + why);
    timeline.after(wait, this::connect);
  }

  /** One stream, from its opening to its end. */
  private final class Stream implements ClientResponseObserver<AgentFrame, ControlFrame> {
    private Optional<ClientCallStreamObserver<AgentFrame>> requests = Optional.empty();
    private boolean welcomed;
    private long generation;
    private long silenceMillis = DEFAULT_SILENCE.toMillis();
    private long heardMillis;

    void open() {
      heardMillis = timeline.monotonicMillis();
      var _ = AgentGatewayGrpc.newStub(gateways.channel(attempts++)).connect(this);
      AgentMemory.Entry me = memory.of(cluster);
      Hello hello =
          Hello.newBuilder()
              .setCluster(cluster)
              .setToken(me.token())
              .setAgentEpoch(epoch)
              .setStoreGeneration(me.storeGeneration())
              .setStoreHead(me.storeHead())
              .setProtocolVersion(PROTOCOL)
              .setAgentVersion("simulated")
              .setCapabilities(
                  Capabilities.newBuilder()
                      .setKubernetesVersion("v1.34.0")
                      .addApiGroups("batch/v1")
                      .addApiGroups("jobset.x-k8s.io/v1alpha2"))
              .build();
      requests.ifPresent(r -> r.onNext(outbox.hello(AgentMessage.newBuilder().setHello(hello))));
      timeline.after(
          WELCOME_DEADLINE,
          () -> {
            if (!welcomed) {
              abandon("no welcome");
            }
          });
    }

    /** Called by gRPC inside {@code connect}, on the timeline. */
    @Override
    public void beforeStart(ClientCallStreamObserver<AgentFrame> observer) {
      requests = Optional.of(observer);
      observer.setOnReadyHandler(() -> timeline.execute(AgentLink.this::flush));
    }

    private void pump() {
      requests.ifPresent(
          r -> {
            while (r.isReady()) {
              Optional<AgentFrame> frame = outbox.next();
              if (frame.isEmpty()) {
                return;
              }
              r.onNext(frame.get());
            }
          });
    }

    @Override
    public void onNext(ControlFrame frame) {
      timeline.execute(() -> heard(frame));
    }

    private void heard(ControlFrame frame) {
      if (current.filter(this::equals).isEmpty()) {
        return;
      }
      heardMillis = timeline.monotonicMillis();
      if (welcomed) {
        memory.saw(cluster, memory.of(cluster).storeGeneration(), frame.getStoreHead());
      }
      switch (frame.getBodyCase()) {
        case WELCOME -> welcome(frame.getGeneration(), frame.getWelcome());
        case REFUSED -> {
          LOG.warning(
              () ->
                  "agent of "
                      + cluster
                      + " was refused: "
                      + frame.getRefused().getWhy()
                      + " "
                      + frame.getRefused().getDetail());
          abandon("refused");
        }
        case FRAME_ACK -> {
          outbox.acknowledged(frame.getFrameAck().getFrame());
          frame.getFrameAck().getRefusedList().forEach(this::notTaken);
          pump();
        }
        default -> {
          if (frame.getGeneration() >= generation) {
            listener.command(frame);
          }
        }
      }
    }

    private void notTaken(MessageRefused refused) {
      LOG.warning(
          () -> cluster + ": message " + refused.getSeq() + " not taken: " + refused.getDetail());
    }

    private void welcome(long sessionGeneration, Welcome welcome) {
      welcomed = true;
      generation = sessionGeneration;
      failures = 0;
      if (welcome.getSilenceMs() > 0) {
        silenceMillis = welcome.getSilenceMs();
      }
      memory.saw(cluster, welcome.getStoreGeneration(), welcome.getStoreHead());
      listener.welcomed();
      pump();
      beat();
    }

    private void beat() {
      timeline.after(
          Duration.ofMillis(silenceMillis / 3),
          () -> {
            if (current.filter(this::equals).isEmpty()) {
              return;
            }
            if (timeline.monotonicMillis() - heardMillis > silenceMillis) {
              abandon("nothing heard");
              return;
            }
            send(AgentMessage.newBuilder().setHeartbeat(Heartbeat.getDefaultInstance()));
            beat();
          });
    }

    private void abandon(String why) {
      requests.ifPresent(r -> r.cancel(why, null));
      lost(this, why);
    }

    @Override
    public void onError(Throwable failure) {
      timeline.execute(() -> lost(this, failure.getMessage()));
    }

    @Override
    public void onCompleted() {
      timeline.execute(
          () -> {
            if (current.filter(this::equals).isPresent()) {
              requests.ifPresent(ClientCallStreamObserver::onCompleted);
              lost(this, "closed by the control plane");
            }
          });
    }
  }
}
