package io.spillway.agent.link;

import io.grpc.ManagedChannel;
import io.grpc.netty.GrpcSslContexts;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientResponseObserver;
import io.spillway.agent.config.AgentConfig.Server;
import io.spillway.protocol.v1.AgentFrame;
import io.spillway.protocol.v1.AgentGatewayGrpc;
import io.spillway.protocol.v1.ControlFrame;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** Streams over HTTP/2, one connection; TLS by the JDK. */
public final class GrpcTransport implements Transport, AutoCloseable {
  private static final int MAX_INBOUND = 16 << 20;

  private final ManagedChannel channel;

  /**
   * @throws IOException if the certificates cannot be read
   */
  public GrpcTransport(Server server) throws IOException {
    this(builder(server).build());
  }

  GrpcTransport(ManagedChannel channel) {
    this.channel = channel;
  }

  private static NettyChannelBuilder builder(Server server) throws IOException {
    String host = server.host().replace("[", "").replace("]", "");
    NettyChannelBuilder builder =
        NettyChannelBuilder.forAddress(host, server.port())
            .maxInboundMessageSize(MAX_INBOUND)
            // Load balancers cut idle connections at 60 s and more; heartbeats come every 10 s,
            // this
            // finds a dead peer under them.
            .keepAliveTime(30, TimeUnit.SECONDS)
            .keepAliveTimeout(20, TimeUnit.SECONDS);
    if (!server.tls()) {
      return builder.usePlaintext();
    }
    if (server.caFile().isPresent()) {
      builder.sslContext(
          GrpcSslContexts.forClient().trustManager(server.caFile().get().toFile()).build());
    }
    return builder.useTransportSecurity();
  }

  @Override
  public Wire open(Listener listener) {
    // The link has its own patience; the channel's would add up to two minutes.
    channel.resetConnectBackoff();
    Stream stream = new Stream(listener);
    var _ = AgentGatewayGrpc.newStub(channel).connect(stream);
    return stream;
  }

  @Override
  public void close() {
    channel.shutdownNow();
  }

  private static final class Stream
      implements Wire, ClientResponseObserver<AgentFrame, ControlFrame> {
    private final Listener listener;
    private volatile Optional<ClientCallStreamObserver<AgentFrame>> requests = Optional.empty();

    Stream(Listener listener) {
      this.listener = listener;
    }

    @Override
    public void beforeStart(ClientCallStreamObserver<AgentFrame> observer) {
      requests = Optional.of(observer);
      observer.setOnReadyHandler(listener::ready);
    }

    @Override
    public boolean ready() {
      return requests.filter(ClientCallStreamObserver::isReady).isPresent();
    }

    @Override
    public void send(AgentFrame frame) {
      requests.ifPresent(r -> r.onNext(frame));
    }

    @Override
    public void cancel(String why) {
      requests.ifPresent(r -> r.cancel(why, null));
    }

    @Override
    public void onNext(ControlFrame frame) {
      listener.received(frame);
    }

    @Override
    public void onError(Throwable failure) {
      listener.ended(String.valueOf(failure.getMessage()));
    }

    @Override
    public void onCompleted() {
      listener.ended("closed by the control plane");
    }
  }
}
