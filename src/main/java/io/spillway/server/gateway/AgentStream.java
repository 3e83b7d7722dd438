package io.spillway.server.gateway;

import io.spillway.protocol.v1.AgentFrame;
import io.spillway.protocol.v1.AgentMessage;
import io.spillway.protocol.v1.Capabilities;
import io.spillway.protocol.v1.ControlFrame;
import io.spillway.protocol.v1.FrameAck;
import io.spillway.protocol.v1.LogRequest;
import io.spillway.protocol.v1.MessageRefused;
import io.spillway.protocol.v1.Refused;
import io.spillway.protocol.v1.SweepRequest;
import io.spillway.protocol.v1.Welcome;
import io.spillway.scheduler.input.AgentInput;
import io.spillway.scheduler.input.Lane;
import io.spillway.scheduler.model.ClusterName;
import io.vertx.core.Context;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.streams.ReadStream;
import io.vertx.core.streams.WriteStream;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jboss.logging.Logger;

/**
 * One agent's stream: greeting, session, frames in, acks and commands out. Everything runs on the
 * connection's context; the methods that say so may be called from any thread and hop there.
 */
final class AgentStream {
  private static final Logger LOG = Logger.getLogger(AgentStream.class);
  private static final long TICK_MILLIS = 500;

  private final Context context;
  private final Door door;
  private final ReadStream<Buffer> in;
  private final Outbox out;
  private final FrameReader reader;
  private final SentCommands sent;
  private final long timer;
  private final long since = System.nanoTime();

  private State state = State.AWAITS_HELLO;
  private volatile Admission.Admitted session;
  private KnownAttempts known;
  private Intake intake;
  private volatile boolean connected;
  private volatile Optional<Capabilities> capabilities = Optional.empty();
  private int underWay;
  private long heardNanos = since;
  private long nextSweepNanos = Long.MAX_VALUE;

  private enum State {
    AWAITS_HELLO,
    OPENING,
    OPEN,
    CLOSED
  }

  /** On the connection's context; from now on the stream looks after itself. */
  AgentStream(Context context, Door door, ReadStream<Buffer> in, WriteStream<Buffer> wire) {
    this.context = context;
    this.door = door;
    this.in = in;
    this.out = new Outbox(wire, door.facts()::head);
    this.reader = new FrameReader(door.config().maxMessages());
    this.sent = new SentCommands(door.config().resendAfter());
    this.timer = context.owner().setPeriodic(TICK_MILLIS, tick -> on(this::tick));
    in.pause();
    in.handler(this::received);
    in.exceptionHandler(broken -> leave());
    in.endHandler(ended -> leave());
    in.fetch(1);
  }

  ClusterName cluster() {
    return session.cluster();
  }

  long generation() {
    return session.generation();
  }

  String tokenHash() {
    return session.tokenHash();
  }

  /** What the agent said last that its cluster can run. */
  Optional<Capabilities> capabilities() {
    return capabilities;
  }

  /** Welcomed, and the commit that took its session not seen yet. */
  boolean awaitsCommit() {
    return !connected;
  }

  // From any thread.

  /** A newer stream of the cluster took the session. */
  void supersede(long byGeneration) {
    on(
        () ->
            refuse(
                Refused.Why.SUPERSEDED,
                "a newer stream of the cluster has the session, generation " + byGeneration));
  }

  void expel(Refused.Why why, String detail) {
    on(() -> refuse(why, detail));
  }

  /** The commit that took the session was seen; what this replica knows is at least as new. */
  void committed() {
    on(
        () -> {
          if (state == State.OPEN && !connected) {
            connected = true;
            door.hallway().connected(this);
            if (door.facts().recovery()) {
              sweep();
            }
          }
        });
  }

  void tell(List<Command> commands) {
    on(
        () -> {
          if (state != State.OPEN || door.facts().recovery()) {
            return;
          }
          long now = System.nanoTime();
          for (Command command : commands) {
            if (command.fits(capabilities) && sent.due(command, now)) {
              if (command.refusal().isPresent()) {
                cannotBeTold(command);
                continue;
              }
              command.offering().ifPresent(offering -> known.told(command.attempt(), offering));
              out.send(command.frame().toBuilder());
            }
          }
        });
  }

  /** All that was open has been told. */
  void toldAll() {
    on(this::sweep);
  }

  /** RECOVERY began: what waits to be sent may be of a time that is gone. */
  void recovery() {
    on(
        () -> {
          out.withdrawCommands();
          sent.forget();
        });
  }

  void sweepAfter(Duration time) {
    on(() -> nextSweepNanos = Math.min(nextSweepNanos, System.nanoTime() + time.toNanos()));
  }

  /** Asks about a log; {@code cannot} runs instead when nothing may be asked now. */
  void ask(LogRequest request, Runnable cannot) {
    on(
        () -> {
          if (state != State.OPEN || door.facts().recovery()) {
            cannot.run();
          } else {
            out.send(ControlFrame.newBuilder().setLogRequest(request));
          }
        });
  }

  private void on(Runnable work) {
    context.runOnContext(hop -> work.run());
  }

  // On the context.

  /** What came was no frame at all. */
  void unreadable(String detail) {
    refuse(Refused.Why.MALFORMED, detail);
  }

  private void received(Buffer bytes) {
    if (state == State.CLOSED) {
      return;
    }
    heardNanos = System.nanoTime();
    AgentFrame frame;
    try {
      frame = reader.read(bytes.getBytes());
    } catch (MalformedFrameException e) {
      refuse(Refused.Why.MALFORMED, e.getMessage());
      return;
    }
    if (state == State.AWAITS_HELLO) {
      state = State.OPENING;
      greet(frame);
    } else {
      underWay++;
      door.hallway().heard(this);
      hear(frame);
      intake.take(frame, door.config().maxMessages());
    }
  }

  /** The core takes the launch back, and stops what another stream may have been told of it. */
  private void cannotBeTold(Command command) {
    AgentInput.TranslationRefused untold = command.untold();
    LOG.infof(
        "launch refused: attempt=%s cluster=%s %s", untold.attempt(), cluster(), untold.reason());
    door.inbox()
        .append(Lane.REPORTS, "translation:" + cluster(), List.of(untold))
        .subscribe()
        .with(durable -> {}, lost -> on(() -> sent.forget(command.attempt())));
  }

  private void hear(AgentFrame frame) {
    for (AgentMessage message : frame.getMessagesList()) {
      if (message.hasLogChunk()) {
        door.hallway().logged(this, message.getLogChunk());
      } else if (message.hasCapabilities()) {
        capabilities = Optional.of(message.getCapabilities());
        door.keeper()
            .keep(session.cluster(), session.generation(), message.getCapabilities())
            .onFailure(lost -> LOG.warnf("capabilities of %s not stored: %s", cluster(), lost));
      }
    }
  }

  private void greet(AgentFrame first) {
    if (!door.facts().loaded()) {
      refuse(Refused.Why.RETRY_LATER, "this replica is still starting");
      return;
    }
    door.keeper()
        .admit(FrameReader.hello(first))
        .onFailure(this::storeGone)
        .onSuccess(
            admission -> {
              switch (admission) {
                case Admission.TurnedAway away -> refuse(away.why(), away.detail());
                case Admission.Admitted admitted -> {
                  capabilities = Optional.of(FrameReader.hello(first).getCapabilities());
                  open(admitted, first.getFrame());
                }
              }
            });
  }

  private void open(Admission.Admitted admitted, long helloFrame) {
    session = admitted;
    known = new KnownAttempts(door.pool(), admitted.cluster());
    intake = new Intake(door, admitted, known, new Acks());
    out.opened(admitted.generation(), admitted.storeHead());
    if (state == State.CLOSED) {
      door.hallway().left(this, true);
      return;
    }
    if (!door.streams().enter(this)) {
      refuse(Refused.Why.SUPERSEDED, "a newer stream of the cluster has the session");
      return;
    }
    door.inbox()
        .append(Lane.REPORTS, "agent:" + admitted.cluster(), admitted.arrival(capabilities.get()))
        .subscribe()
        .with(durable -> welcome(helloFrame), this::storeGone);
  }

  private void welcome(long helloFrame) {
    if (state == State.CLOSED) {
      return;
    }
    state = State.OPEN;
    LOG.infof(
        "agent connected: cluster=%s generation=%d agent_epoch=%d",
        session.cluster(), session.generation(), session.agentEpoch());
    out.send(
        ControlFrame.newBuilder()
            .setWelcome(
                Welcome.newBuilder()
                    .setProtocolVersion(Doorkeeper.PROTOCOL)
                    .setStoreGeneration(session.storeGeneration())
                    .setStoreHead(session.storeHead())
                    .setSilenceMs(door.config().silence().toMillis())));
    acknowledge(helloFrame, List.of());
    door.hallway().heard(this);
    in.fetch(door.config().window());
  }

  private void acknowledge(long frame, List<MessageRefused> refused) {
    out.send(
        ControlFrame.newBuilder()
            .setFrameAck(
                FrameAck.newBuilder()
                    .setFrame(frame)
                    .setStoreHead(Math.max(door.facts().head(), session.storeHead()))
                    .addAllRefused(refused)));
  }

  private void sweep() {
    if (state == State.OPEN) {
      nextSweepNanos = System.nanoTime() + door.config().sweepEvery().toNanos();
      out.send(ControlFrame.newBuilder().setSweepRequest(SweepRequest.getDefaultInstance()));
    }
  }

  private void tick() {
    long now = System.nanoTime();
    if (state == State.AWAITS_HELLO && now - since > door.config().helloTimeout().toNanos()) {
      refuse(Refused.Why.MALFORMED, "no Hello within " + door.config().helloTimeout());
    } else if (state == State.OPEN) {
      // While the window is full it is us who do not listen.
      boolean listening = underWay < door.config().window();
      if (listening && now - heardNanos > door.config().silence().toNanos()) {
        refuse(Refused.Why.RETRY_LATER, "silent for " + door.config().silence());
      } else if (now >= nextSweepNanos) {
        sweep();
      }
    }
  }

  private void storeGone(Throwable why) {
    LOG.warnf("agent turned away, no store: %s", why);
    refuse(Refused.Why.RETRY_LATER, "the store does not answer");
  }

  private void refuse(Refused.Why why, String detail) {
    if (state == State.CLOSED) {
      return;
    }
    LOG.infof(
        "agent refused: cluster=%s why=%s detail=%s",
        session == null ? "?" : session.cluster(), why, detail);
    out.end(
        ControlFrame.newBuilder().setRefused(Refused.newBuilder().setWhy(why).setDetail(detail)));
    closed(why != Refused.Why.SUPERSEDED);
  }

  /** The other side is gone. */
  void leave() {
    if (state != State.CLOSED) {
      out.end();
      closed(true);
    }
  }

  private void closed(boolean own) {
    State before = state;
    state = State.CLOSED;
    context.owner().cancelTimer(timer);
    if (intake != null) {
      intake.close();
    }
    if (session != null) {
      door.streams().leave(this);
      door.hallway().left(this, own);
    }
    LOG.debugf("stream closed: state=%s", before);
    // What the agent still sends is thrown away, so that its side sees the end.
    in.resume();
  }

  private final class Acks implements Intake.Settled {
    @Override
    public void durable(long frame, int frames, List<MessageRefused> refused) {
      underWay -= frames;
      heardNanos = underWay + frames == door.config().window() ? System.nanoTime() : heardNanos;
      acknowledge(frame, refused);
      in.fetch(frames);
    }

    @Override
    public void failed(Throwable why) {
      storeGone(why);
    }
  }
}
