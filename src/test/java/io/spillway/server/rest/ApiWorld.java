package io.spillway.server.rest;

import io.quarkus.test.common.QuarkusTestResourceLifecycleManager;
import io.quarkus.test.common.TestResourceScope;
import io.quarkus.test.common.WithTestResource;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Adds to the world of all server tests what callers need: tokens of each role, and a JWT issuer.
 */
@WithTestResource(value = ApiWorld.class, scope = TestResourceScope.GLOBAL)
public final class ApiWorld implements QuarkusTestResourceLifecycleManager {
  /** Queues that {@code red} owns; each test takes fresh ones. */
  static final int RED_QUEUES = 400;

  private final ProbedMarkets probed = new ProbedMarkets();
  private Path tokens;

  @Override
  public Map<String, String> start() {
    try {
      tokens = Files.createTempFile("spillway-tokens", ".yaml");
      Files.writeString(tokens, tokenFile());
      KeyPair keys = keys();
      Map<String, String> settings = new HashMap<>(probed.start());
      settings.putAll(
          Map.of(
              "spillway.auth.tokens-file", tokens.toString(),
              "spillway.auth.tokens-reload", "100ms",
              "spillway.auth.admin-token", "environment-admin-token",
              "spillway.auth.oidc.enabled", "true",
              "spillway.auth.oidc.public-key", base64(keys.getPublic().getEncoded()),
              "spillway.auth.oidc.issuer", "https://issuer.example",
              "test.jwt.private-key", base64(keys.getPrivate().getEncoded()),
              "spillway.policies.source", "api",
              "spillway.streams.heartbeat", "500ms",
              "spillway.streams.max", "20"));
      return settings;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void stop() {
    probed.stop();
    try {
      Files.deleteIfExists(tokens);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String tokenFile() {
    String red =
        IntStream.range(0, RED_QUEUES)
            .mapToObj(number -> "red-" + number)
            .collect(Collectors.joining(", "));
    return entry("admin", "admin", "")
        + entry("operator", "operator", "")
        + entry("viewer", "viewer", "")
        + entry("events", "event-source", "")
        + entry("red", "submitter", red)
        + entry("blue", "submitter", "blue")
        + entry("blue-viewer", "viewer", "blue");
  }

  static String entry(String name, String role, String queues) {
    return "- {name: %s, sha256: %s, role: %s, queues: [%s]}%n"
        .formatted(name, sha256(name + "-token"), role, queues);
  }

  private static String sha256(String text) {
    try {
      return HexFormat.of()
          .formatHex(
              MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8)));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  private static KeyPair keys() {
    try {
      KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
      generator.initialize(2048);
      return generator.generateKeyPair();
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  private static String base64(byte[] bytes) {
    return Base64.getEncoder().encodeToString(bytes);
  }
}
