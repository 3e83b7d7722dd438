package io.spillway.server.gateway;

import static org.awaitility.Awaitility.await;

import com.google.protobuf.ByteString;
import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.netty.NettyChannelBuilder;
import io.spillway.protocol.v1.AgentFrame;
import io.spillway.protocol.v1.AgentGatewayGrpc;
import io.spillway.protocol.v1.AgentMessage;
import io.spillway.protocol.v1.AttemptReport;
import io.spillway.protocol.v1.ControlFrame;
import io.spillway.protocol.v1.EndCause;
import io.spillway.protocol.v1.FrameAck;
import io.spillway.protocol.v1.Heartbeat;
import io.spillway.protocol.v1.Hello;
import io.spillway.protocol.v1.Phase;
import io.spillway.protocol.v1.Refused;
import io.spillway.protocol.v1.Welcome;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Predicate;

/**
 * An agent's side of one stream, on a real gRPC client; sends bytes, so that it can send anything.
 */
public final class FakeAgent implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(10);
  private static final MethodDescriptor<byte[], ControlFrame> CONNECT =
      MethodDescriptor.<byte[], ControlFrame>newBuilder()
          .setType(MethodDescriptor.MethodType.BIDI_STREAMING)
          .setFullMethodName(AgentGatewayGrpc.getConnectMethod().getFullMethodName())
          .setRequestMarshaller(new Bytes())
          .setResponseMarshaller(AgentGatewayGrpc.getConnectMethod().getResponseMarshaller())
          .build();

  private final ManagedChannel channel;
  private final ClientCall<byte[], ControlFrame> call;
  private final List<ControlFrame> received = new CopyOnWriteArrayList<>();
  private volatile Status ended;
  private long frame;
  private long seq;

  FakeAgent(int port) {
    this.channel =
        NettyChannelBuilder.forAddress("127.0.0.1", port)
            .usePlaintext()
            .maxInboundMessageSize(16 << 20)
            .build();
    this.call = channel.newCall(CONNECT, CallOptions.DEFAULT);
    call.start(
        new ClientCall.Listener<>() {
          @Override
          public void onMessage(ControlFrame message) {
            received.add(message);
          }

          @Override
          public void onClose(Status status, Metadata trailers) {
            ended = status;
          }
        },
        new Metadata());
    call.request(Integer.MAX_VALUE);
  }

  /** Greets and is welcomed. */
  public static FakeAgent welcomed(int port, String cluster, String token, long agentEpoch) {
    FakeAgent agent = new FakeAgent(port);
    agent.hello(hello(cluster, token, agentEpoch));
    agent.welcome();
    return agent;
  }

  static Hello.Builder hello(String cluster, String token, long agentEpoch) {
    return Hello.newBuilder()
        .setCluster(cluster)
        .setToken(token)
        .setAgentEpoch(agentEpoch)
        .setProtocolVersion(1);
  }

  void hello(Hello.Builder hello) {
    send(AgentMessage.newBuilder().setHello(hello));
  }

  Welcome welcome() {
    return awaits(ControlFrame::hasWelcome).getWelcome();
  }

  /** One frame; the messages are numbered here. */
  public long send(AgentMessage.Builder... messages) {
    AgentFrame.Builder built = AgentFrame.newBuilder().setFrame(++frame);
    for (AgentMessage.Builder message : messages) {
      built.addMessages(message.setSeq(++seq));
    }
    raw(built.build().toByteArray());
    return frame;
  }

  void raw(byte[] bytes) {
    call.sendMessage(bytes);
  }

  void heartbeat() {
    send(AgentMessage.newBuilder().setHeartbeat(Heartbeat.getDefaultInstance()));
  }

  static AgentMessage.Builder report(String attempt, Phase phase) {
    return AgentMessage.newBuilder()
        .setAttempt(
            AttemptReport.newBuilder().setAttempt(attempt).setAttemptEpoch(1).setPhase(phase));
  }

  static AgentMessage.Builder ended(String attempt, EndCause cause, int... codes) {
    AttemptReport.Builder report =
        AttemptReport.newBuilder()
            .setAttempt(attempt)
            .setAttemptEpoch(1)
            .setPhase(Phase.PHASE_ENDED)
            .setEndCause(cause);
    for (int code : codes) {
      report.addExitCodes(code);
    }
    return AgentMessage.newBuilder().setAttempt(report);
  }

  public FrameAck acked(long frameNumber) {
    return awaits(f -> f.hasFrameAck() && f.getFrameAck().getFrame() >= frameNumber).getFrameAck();
  }

  Refused refused() {
    return awaits(ControlFrame::hasRefused).getRefused();
  }

  public ControlFrame awaits(Predicate<ControlFrame> wanted) {
    await()
        .atMost(PATIENCE)
        .pollInterval(Duration.ofMillis(10))
        .until(() -> received.stream().anyMatch(wanted));
    return received.stream().filter(wanted).findFirst().orElseThrow();
  }

  long count(Predicate<ControlFrame> wanted) {
    return received.stream().filter(wanted).count();
  }

  /** What came so far that is a command, in its order. */
  List<ControlFrame> commands() {
    return received.stream()
        .filter(f -> f.hasStart() || f.hasStop() || f.hasHold() || f.hasRelease())
        .toList();
  }

  public List<ControlFrame> received() {
    return List.copyOf(received);
  }

  Status awaitsEnd() {
    await().atMost(PATIENCE).pollInterval(Duration.ofMillis(10)).until(() -> ended != null);
    return ended;
  }

  boolean isOpen() {
    return ended == null;
  }

  /** The connection breaks without a word. */
  public void breaks() {
    channel.shutdownNow();
  }

  @Override
  public void close() {
    channel.shutdownNow();
  }

  private static final class Bytes implements MethodDescriptor.Marshaller<byte[]> {
    @Override
    public InputStream stream(byte[] value) {
      return new ByteArrayInputStream(value);
    }

    @Override
    public byte[] parse(InputStream stream) {
      try {
        return ByteString.readFrom(stream).toByteArray();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
