package io.spillway.capacity.oci;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.spillway.capacity.http.HttpCall;
import io.spillway.capacity.spi.AccountSettings;
import io.spillway.capacity.spi.ProbeException;
import java.io.IOException;
import java.io.InputStream;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.interfaces.RSAPublicKey;
import java.security.spec.X509EncodedKeySpec;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OciLoginTest {
  private static final Instant NOW = Instant.parse("2026-11-30T12:00:00Z");
  private static final String PASSWORD = "changeit";

  @TempDir Path folder;
  private HttpServer server;
  private URI endpoint;

  @BeforeEach
  void a_loopback_server() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.start();
    endpoint = URI.create("http://127.0.0.1:" + server.getAddress().getPort());
  }

  @AfterEach
  void gone() {
    server.stop(0);
  }

  @Test
  void an_instance_signs_with_the_token_that_its_certificate_brings() throws Exception {
    KeyStore store = leaf();
    String certificate = pem("CERTIFICATE", store.getCertificate("leaf").getEncoded());
    text("/opc/v2/instance/region", "eu-frankfurt-1");
    text("/opc/v2/identity/cert.pem", certificate);
    text("/opc/v2/identity/intermediate.pem", certificate);
    text(
        "/opc/v2/identity/key.pem",
        pem("PRIVATE KEY", store.getKey("leaf", PASSWORD.toCharArray()).getEncoded()));
    server.createContext(
        "/v1/x509",
        exchange -> answer(exchange, "{\"token\":\"" + token(exchange.getRequestBody()) + "\"}"));
    OciLogin login = OciLogin.of(account(Map.of("principal", "instance")));

    login.ready().join();
    HttpCall signed =
        login
            .signer(URI.create("https://iaas.eu-frankfurt-1.oraclecloud.com"))
            .sign(HttpCall.post("/20160918/computeCapacityReports", "{}"), NOW);

    assertThat(signed.headers().get("authorization"))
        .contains("keyId=\"ST$")
        .contains("x-content-sha256");
    assertThat(signed.headers()).containsEntry("date", "Mon, 30 Nov 2026 12:00:00 GMT");
    assertThat(signed.headers()).doesNotContainKeys("host", "content-length");
  }

  @Test
  void a_profile_of_the_configuration_file_is_enough() throws Exception {
    Path key = Files.writeString(folder.resolve("key.pem"), Keys.PEM);
    Path config =
        Files.writeString(
            folder.resolve("config"),
            """
            [GPU]
            user=ocid1.user.oc1..uuuu
            fingerprint=11:22
            tenancy=ocid1.tenancy.oc1..aaaa
            region=eu-frankfurt-1
            key_file=%s
            """
                .formatted(key));
    OciLogin login =
        OciLogin.of(account(Map.of("config-file", config.toString(), "profile", "GPU")));

    login.ready().join();

    assertThat(login.signer(endpoint).sign(HttpCall.get("/x"), NOW).headers().get("authorization"))
        .contains("keyId=\"ocid1.tenancy.oc1..aaaa/ocid1.user.oc1..uuuu/11:22\"");
  }

  @Test
  void no_credentials_anywhere_is_told_without_a_path_or_a_key() {
    OciLogin login = OciLogin.of(account(Map.of("config-file", folder.resolve("none").toString())));

    assertThatThrownBy(() -> login.ready().join())
        .isInstanceOf(CompletionException.class)
        .hasCauseInstanceOf(ProbeException.class)
        .hasMessageContaining("no usable OCI credentials")
        .hasMessageNotContaining(folder.toString());
    assertThatThrownBy(() -> OciLogin.of(account(Map.of("principal", "ghost"))))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("credentials.principal");
  }

  private AccountSettings account(Map<String, String> credentials) {
    return new AccountSettings(
        "prod",
        Optional.empty(),
        List.of("eu-frankfurt-1"),
        Duration.ofMinutes(1),
        BigDecimal.ONE,
        Optional.of(endpoint),
        credentials);
  }

  /** A certificate as instances have it, with their tenancy in it. */
  private KeyStore leaf() throws Exception {
    Path file = folder.resolve("leaf.p12");
    Process keytool =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-alias",
                "leaf",
                "-keyalg",
                "RSA",
                "-keysize",
                "2048",
                "-dname",
                "CN=ocid1.instance.oc1.eu-frankfurt-1.iiii, OU=opc-tenant:ocid1.tenancy.oc1..aaaa",
                "-storetype",
                "PKCS12",
                "-storepass",
                PASSWORD,
                "-keystore",
                file.toString())
            .redirectErrorStream(true)
            .start();
    String said = new String(keytool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(keytool.waitFor()).as(said).isZero();
    return KeyStore.getInstance(file.toFile(), PASSWORD.toCharArray());
  }

  /** A session's token carries the public key that the request brought. */
  private static String token(InputStream request) throws IOException {
    String publicKey = new ObjectMapper().readTree(request).path("publicKey").asText();
    try {
      RSAPublicKey key =
          (RSAPublicKey)
              KeyFactory.getInstance("RSA")
                  .generatePublic(
                      new X509EncodedKeySpec(Base64.getMimeDecoder().decode(publicKey)));
      String jwk =
          "{\"kty\":\"RSA\",\"kid\":\"k\",\"alg\":\"RS256\",\"use\":\"sig\",\"n\":\"%s\",\"e\":\"%s\"}"
              .formatted(number(key.getModulus()), number(key.getPublicExponent()));
      long now = Instant.now().getEpochSecond();
      var claims =
          new ObjectMapper()
              .createObjectNode()
              .put("sub", "ocid1.instance.oc1.eu-frankfurt-1.iiii")
              .put("iat", now)
              .put("exp", now + 1_200)
              .put("jwk", jwk);
      return part("{\"alg\":\"none\"}") + '.' + part(claims.toString()) + '.' + part("x");
    } catch (java.security.GeneralSecurityException e) {
      throw new IOException(e);
    }
  }

  private static String number(BigInteger number) {
    byte[] bytes = number.toByteArray();
    int from = bytes[0] == 0 ? 1 : 0;
    return Base64.getUrlEncoder()
        .withoutPadding()
        .encodeToString(java.util.Arrays.copyOfRange(bytes, from, bytes.length));
  }

  private static String part(String text) {
    return Base64.getUrlEncoder()
        .withoutPadding()
        .encodeToString(text.getBytes(StandardCharsets.UTF_8));
  }

  private static String pem(String kind, byte[] der) {
    return "-----BEGIN %s-----\n%s\n-----END %s-----\n"
        .formatted(
            kind,
            Base64.getMimeEncoder(64, "\n".getBytes(StandardCharsets.US_ASCII)).encodeToString(der),
            kind);
  }

  private void text(String path, String body) {
    server.createContext(path, exchange -> answer(exchange, body));
  }

  private static void answer(HttpExchange exchange, String body) throws IOException {
    byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
    exchange.sendResponseHeaders(200, bytes.length);
    exchange.getResponseBody().write(bytes);
    exchange.close();
  }
}
