package io.spillway.capacity.simulated;

import io.grpc.Server;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.StreamObserver;
import io.spillway.protocol.v1.AgentFrame;
import io.spillway.protocol.v1.AgentGatewayGrpc;
import io.spillway.protocol.v1.AgentMessage;
import io.spillway.protocol.v1.AttemptReport;
import io.spillway.protocol.v1.ControlFrame;
import io.spillway.protocol.v1.FrameAck;
import io.spillway.protocol.v1.Hello;
import io.spillway.protocol.v1.Launch;
import io.spillway.protocol.v1.Start;
import io.spillway.protocol.v1.Stop;
import io.spillway.protocol.v1.Welcome;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;

/** A control plane's side of the protocol that welcomes everybody and remembers everything. */
public final class RecordingGateway extends AgentGatewayGrpc.AgentGatewayImplBase
    implements AutoCloseable {
  public final List<Hello> hellos = new CopyOnWriteArrayList<>();
  public final List<AgentMessage> messages = new CopyOnWriteArrayList<>();
  private final AtomicLong generations = new AtomicLong();
  private final Server server;
  private volatile Optional<StreamObserver<ControlFrame>> agent = Optional.empty();
  private volatile boolean acking = true;

  public RecordingGateway() throws IOException {
    this.server =
        NettyServerBuilder.forAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
            .addService(this)
            .build()
            .start();
  }

  public String address() {
    return "127.0.0.1:" + server.getPort();
  }

  /** Stops or resumes acknowledging. */
  public void acking(boolean on) {
    acking = on;
  }

  @Override
  public StreamObserver<AgentFrame> connect(StreamObserver<ControlFrame> answers) {
    long generation = generations.incrementAndGet();
    return new StreamObserver<>() {
      @Override
      public void onNext(AgentFrame frame) {
        frame
            .getMessagesList()
            .forEach(
                message -> {
                  if (message.hasHello()) {
                    hellos.add(message.getHello());
                  } else {
                    messages.add(message);
                  }
                });
        if (frame.getFrame() == 1) {
          tell(
              answers,
              ControlFrame.newBuilder()
                  .setGeneration(generation)
                  .setStoreHead(generation)
                  .setWelcome(
                      Welcome.newBuilder()
                          .setProtocolVersion(1)
                          .setStoreGeneration("store-1")
                          .setStoreHead(generation)
                          .setSilenceMs(3_000))
                  .build());
          agent = Optional.of(answers);
        }
        if (acking) {
          tell(
              answers,
              ControlFrame.newBuilder()
                  .setGeneration(generation)
                  .setStoreHead(generation)
                  .setFrameAck(FrameAck.newBuilder().setFrame(frame.getFrame()))
                  .build());
        }
      }

      @Override
      public void onError(Throwable failure) {
        agent = Optional.empty();
      }

      @Override
      public void onCompleted() {
        agent = Optional.empty();
        answers.onCompleted();
      }
    };
  }

  /** gRPC's observers are not made for two threads, here its own and the test's. */
  private synchronized void tell(StreamObserver<ControlFrame> answers, ControlFrame frame) {
    answers.onNext(frame);
  }

  public boolean connected() {
    return agent.isPresent();
  }

  public void send(ControlFrame.Builder frame) {
    tell(agent.orElseThrow(), frame.setGeneration(generations.get()).build());
  }

  /** Closes the stream as a control plane does that goes down. */
  public void drop() {
    StreamObserver<ControlFrame> dropped = agent.orElseThrow();
    agent = Optional.empty();
    dropped.onCompleted();
  }

  public void start(String attempt, String seconds) {
    send(
        ControlFrame.newBuilder()
            .setStart(
                Start.newBuilder()
                    .setAttempt(attempt)
                    .setEpoch(1)
                    .setLaunch(
                        Launch.newBuilder()
                            .setZone("use2-az1")
                            .setInstanceType("p5.48xlarge")
                            .setCapacityType("reserved")
                            .setPool("reserved")
                            .setNodes(1)
                            .setGpusPerNode(1)
                            .putAllEnv(Map.of("SIM_RUN_SECONDS", seconds)))));
  }

  public void stop(String attempt) {
    send(
        ControlFrame.newBuilder()
            .setStop(Stop.newBuilder().setAttempt(attempt).setEpoch(1).setGraceMs(1_000)));
  }

  public List<AttemptReport> reports(String attempt) {
    return messages.stream()
        .filter(AgentMessage::hasAttempt)
        .map(AgentMessage::getAttempt)
        .filter(report -> report.getAttempt().equals(attempt))
        .toList();
  }

  @Override
  public void close() {
    server.shutdownNow();
  }
}
