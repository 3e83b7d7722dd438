package io.spillway.verify.kube;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPairGenerator;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.time.Duration;
import java.util.Base64;
import java.util.Map;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** Keys, tokens and certificates of one test's cluster. */
final class Credentials {
  static final String KEY = "service-accounts.pem";
  static final String TOKENS = "tokens.csv";

  private Credentials() {}

  /** Makes the key that signs service accounts' tokens, and the file of static tokens. */
  static void write(Path directory, Map<String, String> tokens)
      throws IOException, GeneralSecurityException {
    KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
    generator.initialize(2048);
    String key =
        Base64.getMimeEncoder(64, new byte[] {'\n'})
            .encodeToString(generator.generateKeyPair().getPrivate().getEncoded());
    Files.writeString(
        directory.resolve(KEY),
        "-----BEGIN PRIVATE KEY-----\n" + key + "\n-----END PRIVATE KEY-----\n");
    Files.writeString(directory.resolve(TOKENS), String.join("\n", tokens.values()) + "\n");
  }

  /** A client that trusts as {@link #trust} does. */
  static HttpClient client(SSLContext trust) {
    return HttpClient.newBuilder().sslContext(trust).connectTimeout(Duration.ofSeconds(5)).build();
  }

  /** Trusts the authority in the API server's own certificate file, and none else. */
  static SSLContext trust(Path certificate) throws IOException, GeneralSecurityException {
    KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
    store.load(null, null);
    try (InputStream in = Files.newInputStream(certificate)) {
      for (Certificate each : CertificateFactory.getInstance("X.509").generateCertificates(in)) {
        store.setCertificateEntry("c" + store.size(), each);
      }
    }
    TrustManagerFactory trust =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(store);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, trust.getTrustManagers(), null);
    return context;
  }

  /** Writes a kubeconfig (JSON is YAML) and answers where. */
  static Path kubeconfig(Path directory, URI server, String token) throws IOException {
    ObjectNode config = new ObjectMapper().createObjectNode();
    config.put("apiVersion", "v1").put("kind", "Config").put("current-context", "test");
    config
        .putArray("clusters")
        .addObject()
        .put("name", "test")
        .putObject("cluster")
        .setAll(authority(directory, server));
    config.putArray("users").addObject().put("name", "test").putObject("user").put("token", token);
    config
        .putArray("contexts")
        .addObject()
        .put("name", "test")
        .putObject("context")
        .put("cluster", "test")
        .put("user", "test");
    Path file = Files.createTempFile(directory, "user", ".kubeconfig");
    Files.writeString(file, config.toString());
    return file;
  }

  private static ObjectNode authority(Path directory, URI server) {
    ObjectNode cluster = new ObjectMapper().createObjectNode().put("server", server.toString());
    return server.getScheme().equals("https")
        ? cluster.put(
            "certificate-authority",
            directory.resolve("certificates/apiserver.crt").toAbsolutePath().toString())
        : cluster;
  }
}
