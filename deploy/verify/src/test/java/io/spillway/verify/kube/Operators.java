package io.spillway.verify.kube;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.spillway.verify.real.Programs;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.awaitility.Awaitility;

/**
 * The controllers of JobSet and MPIJob as their projects publish them, as processes beside the API
 * server. JobSet's webhooks are served too: its defaults and refusals are part of what a manifest
 * meets. In a cluster they are found through a Service; here by their address.
 */
final class Operators {
  private static final Duration STARTUP = Duration.ofMinutes(1);
  private static final String SECRET = "of-a-test";

  private final KubeCluster cluster;
  private final Path directory;
  private final int webhooks = KubeCluster.freePort();

  private Operators(KubeCluster cluster) throws IOException {
    this.cluster = cluster;
    this.directory = Files.createDirectories(cluster.directory().resolve("operators"));
  }

  /** Starts both and waits until JobSet's webhooks answer. */
  static void start(KubeCluster cluster, KubePrograms programs)
      throws IOException, InterruptedException, GeneralSecurityException {
    Operators operators = new Operators(cluster);
    operators.mpi();
    operators.jobSet(programs);
  }

  private void mpi() throws IOException, InterruptedException {
    cluster.namespace("mpi-operator");
    cluster.beside(
        "mpi-operator",
        Map.of("KUBECONFIG", cluster.adminConfig().toString()),
        // The first default is five requests a second: a gang would take half a minute.
        "--kube-api-qps=200",
        "--kube-api-burst=400",
        "--controller-queue-rate-limit=200",
        "--threadiness=2");
  }

  private void jobSet(KubePrograms programs)
      throws IOException, InterruptedException, GeneralSecurityException {
    String certificate = certificate();
    Path config = directory.resolve("jobset.yaml");
    Files.writeString(
        config,
        """
        apiVersion: config.jobset.x-k8s.io/v1alpha1
        kind: Configuration
        webhook: {host: 127.0.0.1, port: %d, certDir: "%s"}
        leaderElection: {leaderElect: false}
        metrics: {bindAddress: "0"}
        health: {healthProbeBindAddress: "0"}
        internalCertManagement: {enable: false}
        """
            .formatted(webhooks, directory));
    cluster.beside(
        "jobset-controller",
        Map.of("KUBECONFIG", cluster.adminConfig().toString()),
        "--config=" + config);
    Awaitility.await("JobSet's webhooks").atMost(STARTUP).until(this::listening);
    for (Path file : programs.webhooks()) {
      try (var documents =
          new YAMLMapper().readerFor(ObjectNode.class).<ObjectNode>readValues(file.toFile())) {
        while (documents.hasNext()) {
          cluster.admin().apply(here(documents.next(), certificate)).orFail();
        }
      }
    }
  }

  private boolean listening() {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), webhooks)) {
      return socket.isConnected();
    } catch (IOException notYet) {
      return false;
    }
  }

  /** As JobSet's own overlay has it: of pods only those of a JobSet are asked about. */
  private ObjectNode here(ObjectNode configuration, String certificate) {
    ((ObjectNode) configuration.path("metadata"))
        .put("name", "jobset-" + configuration.path("metadata").path("name").asText());
    for (JsonNode webhook : configuration.path("webhooks")) {
      JsonNode service = webhook.path("clientConfig").path("service");
      ((ObjectNode) webhook)
          .putObject("clientConfig")
          .put("url", "https://127.0.0.1:" + webhooks + service.path("path").asText())
          .put(
              "caBundle",
              Base64.getEncoder().encodeToString(certificate.getBytes(StandardCharsets.US_ASCII)));
      if (webhook.path("rules").path(0).path("resources").path(0).asText().equals("pods")) {
        ((ObjectNode) webhook)
            .putObject("objectSelector")
            .putArray("matchExpressions")
            .addObject()
            .put("key", "jobset.sigs.k8s.io/jobset-name")
            .put("operator", "Exists");
      }
    }
    return configuration;
  }

  /** Makes a key and a certificate of its own for loopback, as files; answers the certificate. */
  private String certificate() throws IOException, InterruptedException, GeneralSecurityException {
    Path store = directory.resolve("store.p12");
    Programs.run(
        directory,
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
            "-genkeypair",
            "-alias",
            "webhook",
            "-keyalg",
            "EC",
            "-dname",
            "CN=jobset-webhook",
            "-ext",
            "san=ip:127.0.0.1",
            "-validity",
            "2",
            "-storetype",
            "PKCS12",
            "-storepass",
            SECRET,
            "-keystore",
            store.toString()));
    KeyStore keys = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(store)) {
      keys.load(in, SECRET.toCharArray());
    }
    String certificate = pem("CERTIFICATE", keys.getCertificate("webhook").getEncoded());
    Files.writeString(directory.resolve("tls.crt"), certificate);
    Files.writeString(
        directory.resolve("tls.key"),
        pem("PRIVATE KEY", keys.getKey("webhook", SECRET.toCharArray()).getEncoded()));
    return certificate;
  }

  private static String pem(String what, byte[] encoded) {
    String text = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(encoded);
    return "-----BEGIN " + what + "-----\n" + text + "\n-----END " + what + "-----\n";
  }
}
