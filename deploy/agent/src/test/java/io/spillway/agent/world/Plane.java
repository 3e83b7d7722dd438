package io.spillway.agent.world;

import com.google.protobuf.ByteString;
import io.spillway.agent.link.Transport;
import io.spillway.protocol.v1.AgentFrame;
import io.spillway.protocol.v1.AgentMessage;
import io.spillway.protocol.v1.AttemptReport;
import io.spillway.protocol.v1.ControlFrame;
import io.spillway.protocol.v1.FrameAck;
import io.spillway.protocol.v1.GateRefusal;
import io.spillway.protocol.v1.Hello;
import io.spillway.protocol.v1.Hold;
import io.spillway.protocol.v1.LogRequest;
import io.spillway.protocol.v1.Phase;
import io.spillway.protocol.v1.Refused;
import io.spillway.protocol.v1.Release;
import io.spillway.protocol.v1.Start;
import io.spillway.protocol.v1.Stop;
import io.spillway.protocol.v1.SweepRequest;
import io.spillway.protocol.v1.Welcome;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The control plane's side, by hand: welcomes, acknowledges, and says what the test says. */
public final class Plane implements Transport {
  private final List<AgentMessage> heard = new ArrayList<>();
  private final List<Hello> hellos = new ArrayList<>();
  private Optional<Stream> stream = Optional.empty();
  private boolean unreachable;
  private boolean acknowledges = true;
  private Optional<Refused.Why> refuses = Optional.empty();
  private String generation = "store-1";
  private long head = 100;
  private long session;

  @Override
  public Wire open(Listener listener) {
    Stream opened = new Stream(listener);
    if (unreachable) {
      listener.ended("unreachable");
    } else {
      stream = Optional.of(opened);
    }
    return opened;
  }

  public boolean connected() {
    return stream.filter(s -> s.welcomed).isPresent();
  }

  /** The network is cut, or joined again. */
  public void cut(boolean cut) {
    unreachable = cut;
    if (cut) {
      stream.ifPresent(s -> s.listener.ended("cut"));
      stream = Optional.empty();
    }
  }

  public void acknowledges(boolean value) {
    acknowledges = value;
  }

  public void refuses(Optional<Refused.Why> why) {
    refuses = why;
  }

  public void store(String newGeneration, long newHead) {
    generation = newGeneration;
    head = newHead;
  }

  public List<Hello> hellos() {
    return hellos;
  }

  public List<AgentMessage> heard() {
    return heard;
  }

  public void forgetsHeard() {
    heard.clear();
  }

  public List<AttemptReport> reports(String attempt) {
    return heard.stream()
        .filter(AgentMessage::hasAttempt)
        .map(AgentMessage::getAttempt)
        .filter(report -> report.getAttempt().equals(attempt))
        .toList();
  }

  public Optional<AttemptReport> report(String attempt, Phase phase) {
    return reports(attempt).stream().filter(report -> report.getPhase() == phase).findFirst();
  }

  public List<GateRefusal> refusals(String attempt) {
    return heard.stream()
        .filter(AgentMessage::hasGateRefusal)
        .map(AgentMessage::getGateRefusal)
        .filter(refusal -> refusal.getAttempt().equals(attempt))
        .toList();
  }

  public void starts(String attempt, long epoch, String... manifests) {
    Start.Builder start = Start.newBuilder().setAttempt(attempt).setEpoch(epoch);
    for (String manifest : manifests) {
      start.addManifests(ByteString.copyFromUtf8(manifest));
    }
    say(ControlFrame.newBuilder().setStart(start));
  }

  public void holds(String attempt, long epoch, String... manifests) {
    Hold.Builder hold = Hold.newBuilder().setAttempt(attempt).setEpoch(epoch);
    for (String manifest : manifests) {
      hold.addManifests(ByteString.copyFromUtf8(manifest));
    }
    say(ControlFrame.newBuilder().setHold(hold));
  }

  public void releases(String attempt, long epoch) {
    say(
        ControlFrame.newBuilder()
            .setRelease(Release.newBuilder().setAttempt(attempt).setEpoch(epoch)));
  }

  public void stops(String attempt, long epoch, long graceMillis) {
    say(
        ControlFrame.newBuilder()
            .setStop(
                Stop.newBuilder()
                    .setAttempt(attempt)
                    .setEpoch(epoch)
                    .setGraceMs(graceMillis)
                    .setReason("PREEMPTED")));
  }

  public void reads(LogRequest.Builder request) {
    say(ControlFrame.newBuilder().setLogRequest(request));
  }

  public void sweeps() {
    say(ControlFrame.newBuilder().setSweepRequest(SweepRequest.getDefaultInstance()));
  }

  private void say(ControlFrame.Builder frame) {
    stream
        .orElseThrow()
        .listener
        .received(frame.setGeneration(session).setStoreHead(++head).build());
  }

  private final class Stream implements Wire {
    private final Listener listener;
    private boolean welcomed;
    private long last;

    Stream(Listener listener) {
      this.listener = listener;
    }

    @Override
    public boolean ready() {
      return stream.filter(this::equals).isPresent();
    }

    @Override
    public void send(AgentFrame frame) {
      if (!ready()) {
        return;
      }
      if (last != 0 && frame.getFrame() != last + 1) {
        throw new AssertionError("frame " + frame.getFrame() + " after " + last);
      }
      last = frame.getFrame();
      if (frame.getMessages(0).hasHello()) {
        hellos.add(frame.getMessages(0).getHello());
        if (refuses.isPresent()) {
          listener.received(
              ControlFrame.newBuilder()
                  .setRefused(Refused.newBuilder().setWhy(refuses.get()))
                  .build());
          return;
        }
        session++;
        welcomed = true;
        listener.received(
            ControlFrame.newBuilder()
                .setGeneration(session)
                .setWelcome(
                    Welcome.newBuilder()
                        .setProtocolVersion(1)
                        .setStoreGeneration(generation)
                        .setStoreHead(head)
                        .setSilenceMs(30_000))
                .build());
      } else {
        heard.addAll(frame.getMessagesList());
      }
      if (acknowledges) {
        listener.received(
            ControlFrame.newBuilder()
                .setGeneration(session)
                .setStoreHead(head)
                .setFrameAck(FrameAck.newBuilder().setFrame(frame.getFrame()).setStoreHead(head))
                .build());
      }
    }

    @Override
    public void cancel(String why) {
      if (ready()) {
        stream = Optional.empty();
      }
    }
  }
}
