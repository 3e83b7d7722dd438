package io.spillway.agent.link;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.grpc.Server;
import io.grpc.netty.GrpcSslContexts;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.StreamObserver;
import io.netty.handler.ssl.SslContextBuilder;
import io.spillway.agent.config.AgentConfig;
import io.spillway.protocol.v1.AgentFrame;
import io.spillway.protocol.v1.AgentGatewayGrpc;
import io.spillway.protocol.v1.ControlFrame;
import io.spillway.protocol.v1.Welcome;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.net.ssl.KeyManagerFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The wire itself, with TLS, which is the default. */
class GrpcTransportTest {
  private static final char[] PASSWORD = "changeit".toCharArray();

  @TempDir Path folder;
  private Server server;
  private Path certificate;

  @BeforeEach
  void serve() throws Exception {
    Path keys = folder.resolve("keys.p12");
    Process keytool =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-alias",
                "server",
                "-keyalg",
                "EC",
                "-dname",
                "CN=localhost",
                "-ext",
                "san=dns:localhost",
                "-storetype",
                "PKCS12",
                "-keystore",
                keys.toString(),
                "-storepass",
                new String(PASSWORD))
            .redirectErrorStream(true)
            .start();
    keytool.getInputStream().readAllBytes();
    assertThat(keytool.waitFor()).isZero();
    KeyStore store = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(keys)) {
      store.load(in, PASSWORD);
    }
    KeyManagerFactory managers =
        KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    managers.init(store, PASSWORD);
    String pem =
        "-----BEGIN CERTIFICATE-----\n"
            + Base64.getMimeEncoder().encodeToString(store.getCertificate("server").getEncoded())
            + "\n-----END CERTIFICATE-----\n";
    certificate = Files.writeString(folder.resolve("ca.pem"), pem);
    server =
        NettyServerBuilder.forPort(0)
            .sslContext(GrpcSslContexts.configure(SslContextBuilder.forServer(managers)).build())
            .addService(new Welcoming())
            .build()
            .start();
  }

  @AfterEach
  void end() {
    server.shutdownNow();
  }

  private static final class Welcoming extends AgentGatewayGrpc.AgentGatewayImplBase {
    @Override
    public StreamObserver<AgentFrame> connect(StreamObserver<ControlFrame> answers) {
      return new StreamObserver<>() {
        @Override
        public void onNext(AgentFrame frame) {
          answers.onNext(
              ControlFrame.newBuilder()
                  .setGeneration(frame.getFrame())
                  .setWelcome(Welcome.getDefaultInstance())
                  .build());
        }

        @Override
        public void onError(Throwable failure) {
          // The test has ended the stream.
        }

        @Override
        public void onCompleted() {
          answers.onCompleted();
        }
      };
    }
  }

  private static final class Heard implements Transport.Listener {
    private final List<ControlFrame> frames = new CopyOnWriteArrayList<>();
    private final List<String> ends = new CopyOnWriteArrayList<>();

    @Override
    public void received(ControlFrame frame) {
      frames.add(frame);
    }

    @Override
    public void ready() {
      // Nothing waits here.
    }

    @Override
    public void ended(String why) {
      ends.add(why);
    }
  }

  private AgentConfig.Server address(Optional<Path> ca) {
    return new AgentConfig.Server("localhost", server.getPort(), true, ca);
  }

  @Test
  void a_stream_over_tls_with_a_certificate_of_ones_own_carries_frames_both_ways()
      throws Exception {
    Heard heard = new Heard();
    try (GrpcTransport transport = new GrpcTransport(address(Optional.of(certificate)))) {
      Transport.Wire wire = transport.open(heard);
      wire.send(AgentFrame.newBuilder().setFrame(7).build());
      await().until(() -> !heard.frames.isEmpty() || !heard.ends.isEmpty());
      assertThat(heard.ends).isEmpty();
      assertThat(heard.frames.getFirst().getGeneration()).isEqualTo(7);
      wire.cancel("done");
      await().until(() -> !heard.ends.isEmpty());
    }
  }

  @Test
  void a_certificate_that_nobody_vouches_for_is_not_trusted() throws Exception {
    Heard heard = new Heard();
    try (GrpcTransport transport = new GrpcTransport(address(Optional.empty()))) {
      transport.open(heard).send(AgentFrame.newBuilder().setFrame(1).build());
      await().until(() -> !heard.ends.isEmpty());
      assertThat(heard.frames).isEmpty();
    }
  }
}
