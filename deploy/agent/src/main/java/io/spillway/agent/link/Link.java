package io.spillway.agent.link;

import io.spillway.agent.time.Timeline;
import io.spillway.protocol.v1.AgentMessage;
import io.spillway.protocol.v1.Capabilities;
import io.spillway.protocol.v1.ControlFrame;
import io.spillway.protocol.v1.Heartbeat;
import io.spillway.protocol.v1.Hello;
import io.spillway.protocol.v1.MessageRefused;
import io.spillway.protocol.v1.Refused;
import io.spillway.protocol.v1.Welcome;
import java.time.Duration;
import java.util.Optional;
import java.util.function.DoubleSupplier;
import java.util.function.Supplier;
import java.util.logging.Level;
import java.util.logging.Logger;

/** Says hello, sends what waits, hears commands, comes back. Only from the timeline. */
public final class Link {
  private static final Logger LOG = Logger.getLogger(Link.class.getName());
  private static final int PROTOCOL = 1;
  private static final Duration FIRST_PAUSE = Duration.ofSeconds(1);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(60);
  private static final Duration WELCOME_WITHIN = Duration.ofSeconds(15);
  private static final Duration SILENCE = Duration.ofSeconds(30);

  private final Timeline timeline;
  private final Transport transport;
  private final Identity identity;
  private final Listener listener;
  private final DoubleSupplier random;
  private final Outbox outbox = new Outbox();
  private Optional<Stream> current = Optional.empty();
  private String generation;
  private long head;
  private int failures;
  private boolean flushing;
  private boolean closed;

  /**
   * Who speaks.
   *
   * @param token read anew for each stream, so that it may be replaced; empty if it cannot be
   * @param storeGeneration and {@code storeHead}: the newest that an agent of this cluster heard of
   */
  public record Identity(
      String cluster,
      Supplier<Optional<String>> token,
      long epoch,
      String storeGeneration,
      long storeHead,
      String version) {}

  /** What comes in. On the timeline. */
  public interface Listener {
    /** As they are now, for the greeting. */
    Capabilities capabilities();

    /** Time to tell how things are. */
    void welcomed();

    void command(ControlFrame frame);

    /** The control plane has it. */
    void acknowledged(AgentMessage message);

    /** A head that is new; to be kept. */
    void heard(String generation, long head);
  }

  /**
   * @param random from 0 to 1; spreads agents that lost the same control plane
   */
  public Link(
      Timeline timeline,
      Transport transport,
      Identity identity,
      Listener listener,
      DoubleSupplier random) {
    this.timeline = timeline;
    this.transport = transport;
    this.identity = identity;
    this.listener = listener;
    this.random = random;
    this.generation = identity.storeGeneration();
    this.head = identity.storeHead();
  }

  public void open() {
    connect();
  }

  public void close() {
    closed = true;
    current.ifPresent(stream -> stream.wire.ifPresent(wire -> wire.cancel("the agent ends")));
    current = Optional.empty();
  }

  public boolean connected() {
    return current.filter(stream -> stream.welcomed).isPresent();
  }

  /** Whether the control plane may still not know of an end, or of a refusal. */
  public boolean keepsLastWords() {
    return outbox.keepsLastWords();
  }

  public int unacknowledged() {
    return outbox.unacknowledged();
  }

  /** Says it now, or when there is a stream, and until it is acknowledged. */
  public void say(AgentMessage.Builder message) {
    outbox.add(message);
    if (!flushing) {
      flushing = true;
      // Behind everything that is due: what happens together goes in one frame.
      timeline.execute(this::flush);
    }
  }

  private void flush() {
    flushing = false;
    current.filter(stream -> stream.welcomed).ifPresent(Stream::pump);
  }

  private void connect() {
    if (closed || current.isPresent()) {
      return;
    }
    Optional<String> token = identity.token().get();
    if (token.isEmpty()) {
      failures++;
      comeBack();
      return;
    }
    Stream stream = new Stream();
    current = Optional.of(stream);
    stream.open(token.get());
  }

  private void lost(Stream stream, String why) {
    if (current.filter(stream::equals).isEmpty()) {
      return;
    }
    current = Optional.empty();
    failures = stream.welcomed && !stream.refused ? 1 : failures + 1;
    LOG.log(
        failures == 4 || failures % 60 == 0
            ? Level.WARNING
            : failures < 4 ? Level.INFO : Level.FINE,
        () -> "no stream to the control plane: " + why + "; workloads run on");
    comeBack();
  }

  private void comeBack() {
    Duration most = FIRST_PAUSE.multipliedBy(1L << Math.min(failures - 1, 6));
    most = most.compareTo(LONGEST_PAUSE) > 0 ? LONGEST_PAUSE : most;
    long millis = Math.round(most.toMillis() * (0.5 + 0.5 * random.getAsDouble()));
    var _ = timeline.after(Duration.ofMillis(millis), this::connect);
  }

  private void saw(String said, long saidHead) {
    boolean news = !said.equals(generation) || saidHead > head;
    if (news) {
      head = said.equals(generation) ? Math.max(head, saidHead) : saidHead;
      generation = said;
      listener.heard(generation, head);
    }
  }

  private final class Stream implements Transport.Listener {
    private Optional<Transport.Wire> wire = Optional.empty();
    private boolean welcomed;
    private boolean refused;
    private long session;
    private long silenceMillis = SILENCE.toMillis();
    private long heardMillis = timeline.millis();

    void open(String token) {
      Hello hello =
          Hello.newBuilder()
              .setCluster(identity.cluster())
              .setToken(token)
              .setAgentEpoch(identity.epoch())
              .setStoreGeneration(generation)
              .setStoreHead(head)
              .setProtocolVersion(PROTOCOL)
              .setAgentVersion(identity.version())
              .setCapabilities(listener.capabilities())
              .build();
      Transport.Wire opened = transport.open(this);
      wire = Optional.of(opened);
      opened.send(outbox.hello(AgentMessage.newBuilder().setHello(hello)));
      var _ =
          timeline.after(
              WELCOME_WITHIN,
              () -> {
                if (!welcomed) {
                  abandon("no welcome");
                }
              });
    }

    private boolean stale() {
      return current.filter(this::equals).isEmpty();
    }

    void pump() {
      wire.ifPresent(
          w -> {
            while (w.ready()) {
              var frame = outbox.next();
              if (frame.isEmpty()) {
                return;
              }
              w.send(frame.get());
            }
          });
    }

    @Override
    public void received(ControlFrame frame) {
      timeline.execute(
          () -> {
            if (!stale()) {
              hear(frame);
            }
          });
    }

    private void hear(ControlFrame frame) {
      heardMillis = timeline.millis();
      switch (frame.getBodyCase()) {
        case WELCOME -> welcome(frame.getGeneration(), frame.getWelcome());
        case REFUSED -> refuse(frame.getRefused());
        case FRAME_ACK -> {
          outbox.acknowledged(frame.getFrameAck().getFrame(), listener::acknowledged);
          frame.getFrameAck().getRefusedList().forEach(Stream::notTaken);
          saw(generation, Math.max(frame.getStoreHead(), frame.getFrameAck().getStoreHead()));
          pump();
        }
        default -> {
          if (welcomed && frame.getGeneration() >= session) {
            saw(generation, frame.getStoreHead());
            listener.command(frame);
          }
        }
      }
    }

    private void refuse(Refused refusal) {
      refused = true;
      LOG.warning(
          () ->
              "the control plane refuses this agent: "
                  + refusal.getWhy()
                  + " "
                  + refusal.getDetail());
      abandon("refused, " + refusal.getWhy());
    }

    private static void notTaken(MessageRefused message) {
      LOG.warning(() -> "message " + message.getSeq() + " was not taken: " + message.getDetail());
    }

    private void welcome(long generationOfSession, Welcome welcome) {
      welcomed = true;
      session = generationOfSession;
      failures = 0;
      if (welcome.getSilenceMs() > 0) {
        silenceMillis = welcome.getSilenceMs();
      }
      LOG.info(() -> "welcomed as " + identity.cluster() + ", session " + session);
      saw(welcome.getStoreGeneration(), welcome.getStoreHead());
      listener.welcomed();
      pump();
      beat();
    }

    private void beat() {
      var _ =
          timeline.after(
              Duration.ofMillis(Math.max(1, silenceMillis / 3)),
              () -> {
                if (stale()) {
                  return;
                }
                if (timeline.millis() - heardMillis > silenceMillis) {
                  abandon("nothing heard for " + silenceMillis + " ms");
                  return;
                }
                say(AgentMessage.newBuilder().setHeartbeat(Heartbeat.getDefaultInstance()));
                beat();
              });
    }

    private void abandon(String why) {
      if (!stale()) {
        wire.ifPresent(w -> w.cancel(why));
        lost(this, why);
      }
    }

    @Override
    public void ready() {
      timeline.execute(Link.this::flush);
    }

    @Override
    public void ended(String why) {
      timeline.execute(() -> lost(this, why));
    }
  }
}
