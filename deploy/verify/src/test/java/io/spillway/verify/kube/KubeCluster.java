package io.spillway.verify.kube;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import javax.net.ssl.SSLContext;
import org.awaitility.Awaitility;

/**
 * A Kubernetes without machines: etcd, API server, controller manager and scheduler as processes on
 * free ports of loopback, with certificates, keys and tokens that are made for it and thrown away
 * with it. Time-outs of nodes are seconds, or losing one would take minutes. Not thread-safe; the
 * {@link KubeApi}s it hands out are.
 */
public final class KubeCluster implements AutoCloseable {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Duration STARTUP = Duration.ofMinutes(2);
  private static final String ADMIN = "admin-of-a-test";

  /** A node that says nothing for so long is unreachable. */
  public static final Duration NODE_GRACE = Duration.ofSeconds(6);

  private final KubePrograms programs;
  private final Path directory;
  private final int port = freePort();
  private final List<Daemon> daemons = new ArrayList<>();
  private final Daemon apiServer;
  private final SSLContext trust;
  private final HttpClient client;

  private KubeCluster(KubePrograms programs, Path directory)
      throws IOException, GeneralSecurityException {
    this.programs = programs;
    this.directory = Files.createDirectories(directory);
    Credentials.write(
        directory,
        Map.of(
            "admin", ADMIN + ",admin,admin,\"system:masters\"",
            "kube-controller-manager", "manager,system:kube-controller-manager,manager,",
            "kube-scheduler", "scheduler,system:kube-scheduler,scheduler,"));
    int etcd = freePort();
    int peers = freePort();
    start(
        "etcd",
        "--data-dir=" + directory.resolve("etcd"),
        "--listen-client-urls=http://127.0.0.1:" + etcd,
        "--advertise-client-urls=http://127.0.0.1:" + etcd,
        "--listen-peer-urls=http://127.0.0.1:" + peers,
        "--initial-advertise-peer-urls=http://127.0.0.1:" + peers,
        "--initial-cluster=default=http://127.0.0.1:" + peers,
        // The machine survives the test; its disk need not hurry.
        "--unsafe-no-fsync",
        "--log-level=error");
    this.apiServer =
        start(
            "kube-apiserver",
            "--etcd-servers=http://127.0.0.1:" + etcd,
            "--bind-address=127.0.0.1",
            "--advertise-address=127.0.0.1",
            "--secure-port=" + port,
            "--cert-dir=" + directory.resolve("certificates"),
            // Loopback is no address that a Service may have as its end.
            "--endpoint-reconciler-type=none",
            "--service-cluster-ip-range=10.0.0.0/16",
            "--service-account-issuer=https://kubernetes.default.svc",
            "--service-account-signing-key-file=" + directory.resolve(Credentials.KEY),
            "--service-account-key-file=" + directory.resolve(Credentials.KEY),
            "--token-auth-file=" + directory.resolve(Credentials.TOKENS),
            "--authorization-mode=RBAC",
            "--allow-privileged=true",
            "--audit-policy-file="
                + Files.writeString(directory.resolve("audit.yaml"), AuditLog.POLICY),
            "--audit-log-path=" + directory.resolve(AuditLog.FILE),
            "--default-not-ready-toleration-seconds=2",
            "--default-unreachable-toleration-seconds=2",
            "--profiling=false",
            "--v=0");
    Awaitility.await("the API server's certificate")
        .atMost(STARTUP)
        .until(() -> present(certificate()));
    this.trust = Credentials.trust(certificate());
    this.client = Credentials.client(trust);
    Awaitility.await("the API server").atMost(STARTUP).until(this::ready);
  }

  /**
   * Starts one and waits until it is ready, custom resources among what it serves.
   *
   * @param directory for data, keys and output
   */
  public static KubeCluster start(KubePrograms programs, Path directory)
      throws IOException, InterruptedException {
    KubeCluster cluster = plain(programs, directory);
    cluster.define();
    return cluster;
  }

  /** One without custom resources. */
  static KubeCluster plain(KubePrograms programs, Path directory) throws IOException {
    KubeCluster cluster = still(programs, directory);
    cluster.control();
    return cluster;
  }

  /** One in which nothing moves: an API server that keeps what it is given, and nothing else. */
  static KubeCluster still(KubePrograms programs, Path directory) throws IOException {
    try {
      return new KubeCluster(programs, directory);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  private void control() throws IOException {
    start(
        "kube-controller-manager",
        "--kubeconfig=" + kubeconfig("manager"),
        "--service-account-private-key-file=" + directory.resolve(Credentials.KEY),
        "--root-ca-file=" + certificate(),
        "--leader-elect=false",
        "--secure-port=0",
        "--node-monitor-period=1s",
        "--node-monitor-grace-period=" + NODE_GRACE.toSeconds() + "s",
        "--use-service-account-credentials=true",
        "--concurrent-job-syncs=10",
        "--v=0");
    start(
        "kube-scheduler",
        "--kubeconfig=" + kubeconfig("scheduler"),
        "--leader-elect=false",
        "--secure-port=0",
        "--v=0");
    Awaitility.await("the default service account")
        .atMost(STARTUP)
        .ignoreExceptions()
        .until(() -> admin().get("/api/v1/namespaces/default/serviceaccounts/default").ok());
  }

  private Path certificate() {
    return directory.resolve("certificates/apiserver.crt");
  }

  private Daemon start(String program, String... arguments) throws IOException {
    return beside(program, Map.of(), arguments);
  }

  private static boolean present(Path file) throws IOException {
    return Files.exists(file) && Files.size(file) > 0;
  }

  private boolean ready() throws InterruptedException, IOException {
    for (Daemon daemon : daemons) {
      if (!daemon.alive()) {
        throw new AssertionError(daemon.lastWords());
      }
    }
    return answers();
  }

  private boolean answers() throws InterruptedException {
    try {
      return admin().get("/readyz").ok();
    } catch (IOException notYet) {
      return false;
    }
  }

  private void define() throws IOException, InterruptedException {
    YAMLMapper yaml = new YAMLMapper();
    for (Path file : programs.definitions()) {
      JsonNode definition = yaml.readTree(file.toFile());
      admin().apply(definition).orFail();
      String path = admin().path(definition);
      Awaitility.await(path)
          .atMost(STARTUP)
          .until(
              () ->
                  admin()
                      .get(path)
                      .body()
                      .path("status")
                      .path("conditions")
                      .findParents("type")
                      .stream()
                      .anyMatch(
                          condition ->
                              condition.path("type").asText().equals("Established")
                                  && condition.path("status").asText().equals("True")));
    }
  }

  /** As a member of {@code system:masters}. */
  public KubeApi admin() {
    return as(ADMIN);
  }

  /** As the user of a token. */
  public KubeApi as(String token) {
    return new KubeApi(client, server(), token);
  }

  public URI server() {
    return URI.create("https://127.0.0.1:" + port);
  }

  public int port() {
    return port;
  }

  public Path directory() {
    return directory;
  }

  /** A kubeconfig for a token, as a file. */
  public Path kubeconfig(String token) throws IOException {
    return Credentials.kubeconfig(directory, server(), token);
  }

  /** A kubeconfig for a token whose holder comes in by a wire. */
  public Path kubeconfig(Wire wire, String token) throws IOException {
    return Credentials.kubeconfig(directory, wire.address(), token);
  }

  /** A way to the API server that can be watched and cut. */
  public Wire wire() throws IOException {
    return new Wire(trust, server());
  }

  /** A kubeconfig of the administrator. */
  public Path adminConfig() throws IOException {
    return kubeconfig(ADMIN);
  }

  /** A token of a service account, good for an hour, as a pod gets it. */
  public String tokenOf(String namespace, String account) throws IOException, InterruptedException {
    return admin()
        .post(
            "/api/v1/namespaces/" + namespace + "/serviceaccounts/" + account + "/token",
            JSON.readTree(
                "{\"apiVersion\":\"authentication.k8s.io/v1\",\"kind\":\"TokenRequest\",\"spec\":{\"expirationSeconds\":3600}}"))
        .orFail()
        .path("status")
        .path("token")
        .asText();
  }

  /** Makes a namespace, unless it is there. */
  public void namespace(String name) throws IOException, InterruptedException {
    admin()
        .apply(
            JSON.readTree(
                "{\"apiVersion\":\"v1\",\"kind\":\"Namespace\",\"metadata\":{\"name\":\""
                    + name
                    + "\"}}"))
        .orFail();
  }

  /**
   * Starts one more program beside the others, for example an operator.
   *
   * @param environment added to this process's own
   */
  Daemon beside(String program, Map<String, String> environment, String... arguments)
      throws IOException {
    List<String> command = new ArrayList<>(List.of(programs.program(program).toString()));
    command.addAll(List.of(arguments));
    Daemon daemon = new Daemon(program, directory, command, environment);
    daemons.add(daemon);
    return daemon;
  }

  /** The API server dies as by kill -9; etcd and the others live on. */
  public void killApiServer() {
    apiServer.kill();
  }

  /**
   * Starts it again on its port and waits until it is ready. What ended meanwhile because it could
   * not keep its lease is started again, as its kubelet would.
   */
  public void restartApiServer() throws IOException {
    apiServer.restart();
    Awaitility.await("the API server again").atMost(STARTUP).until(this::answers);
    for (Daemon daemon : daemons) {
      if (!daemon.alive()) {
        daemon.restart();
      }
    }
  }

  static int freePort() {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Ends all, the last started first. */
  @Override
  public void close() {
    daemons.reversed().forEach(Daemon::kill);
    client.close();
  }
}
