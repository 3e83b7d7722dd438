package io.spillway.server.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.spillway.server.world.PemCertificate;
import io.vertx.core.Vertx;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The store's own connections against a real PostgreSQL that speaks TLS. */
class DatabaseCertificateTest {
  @TempDir static Path files;

  private static EmbeddedPostgres server;
  private static PemCertificate certificate;
  private static Vertx vertx;

  @BeforeAll
  static void start() throws Exception {
    certificate = PemCertificate.selfSigned(files.resolve("server"), "localhost");
    server =
        EmbeddedPostgres.builder()
            .setServerConfig("listen_addresses", "localhost")
            .setServerConfig("ssl", "on")
            .setServerConfig("ssl_cert_file", certificate.certificate().toString())
            .setServerConfig("ssl_key_file", certificate.keyForPostgres().toString())
            .start();
    vertx = Vertx.vertx();
  }

  @AfterAll
  static void stop() throws IOException {
    vertx.close();
    server.close();
  }

  @Test
  void a_known_authority_and_the_right_name_let_it_connect_encrypted() throws Exception {
    assertThat(encrypted("localhost", "verify-full", List.of(certificate.certificate()))).isTrue();
  }

  @Test
  void an_unknown_authority_does_not() throws Exception {
    PemCertificate other = PemCertificate.selfSigned(files.resolve("other"), "localhost");

    assertThatThrownBy(() -> encrypted("localhost", "verify-full", List.of(other.certificate())))
        .hasMessageContaining("SSL handshake failed");
  }

  @Test
  void a_certificate_of_another_host_does_not() {
    assertThatThrownBy(
            () -> encrypted("127.0.0.1", "verify-full", List.of(certificate.certificate())))
        .hasMessageContaining("SSL handshake failed");
  }

  @Test
  void verify_full_without_an_authority_is_refused_rather_than_unchecked() {
    assertThatThrownBy(() -> encrypted("localhost", "verify-full", List.of()))
        .hasMessageContaining("verify-full");
  }

  @Test
  void require_does_not_mean_unchecked() {
    assertThatThrownBy(() -> encrypted("localhost", "require", List.of()))
        .hasMessageContaining("SSL handshake failed");
  }

  private static boolean encrypted(String host, String mode, List<Path> authorities)
      throws Exception {
    String uri = "postgresql://%s:%d/postgres?sslmode=%s".formatted(host, server.getPort(), mode);
    List<String> trusted = authorities.stream().map(Path::toString).toList();
    try (Database database = new Database(vertx, uri, "postgres", "postgres", trusted)) {
      return database
          .within(
              Duration.ofSeconds(20),
              database
                  .pool()
                  .query("select ssl from pg_stat_ssl where pid = pg_backend_pid()")
                  .execute())
          .toCompletionStage()
          .toCompletableFuture()
          .get(30, TimeUnit.SECONDS)
          .iterator()
          .next()
          .getBoolean("ssl");
    }
  }
}
