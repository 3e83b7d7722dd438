package io.spillway.server.security;

import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import io.vertx.core.Vertx;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import org.jboss.logging.Logger;

/**
 * The static tokens in force. The file is read again when it changed; a broken file keeps the
 * tokens as they were and is logged, once per content.
 */
@ApplicationScoped
public class Tokens {
  private static final Logger LOG = Logger.getLogger(Tokens.class);

  private final AuthConfig config;
  private final Vertx vertx;
  private final List<TokenEntry> fixed;
  private volatile List<TokenEntry> entries;
  private volatile String seen = "";
  private volatile long timer = -1;

  Tokens(AuthConfig config, Vertx vertx) {
    this.config = config;
    this.vertx = vertx;
    this.fixed =
        config.adminToken().filter(token -> !token.isBlank()).stream()
            .map(token -> new TokenEntry("admin", sha256(token), Role.ADMIN, new TreeSet<>()))
            .toList();
    this.entries = fixed;
  }

  void start(@Observes StartupEvent event) throws IOException {
    if (config.tokensFile().isPresent()) {
      Path file = config.tokensFile().get();
      take(Files.readString(file));
      timer =
          vertx.setPeriodic(
              config.tokensReload().toMillis(),
              tick -> vertx.executeBlocking(() -> reload(file), false));
    } else if (fixed.isEmpty() && !config.oidc().enabled()) {
      LOG.warn("no token file, no OIDC, no admin token: every call will be answered with 401");
    }
  }

  void stop(@Observes ShutdownEvent event) {
    vertx.cancelTimer(timer);
  }

  /** The entry of that token. Takes the same time for every token of a length. */
  Optional<TokenEntry> find(String token) {
    byte[] hash = sha256(token).getBytes(StandardCharsets.US_ASCII);
    TokenEntry found = null;
    for (TokenEntry entry : entries) {
      if (MessageDigest.isEqual(hash, entry.sha256().getBytes(StandardCharsets.US_ASCII))) {
        found = entry;
      }
    }
    return Optional.ofNullable(found);
  }

  private Void reload(Path file) {
    try {
      String text = Files.readString(file);
      if (!text.equals(seen)) {
        take(text);
        LOG.infof("tokens reloaded count=%d", entries.size());
      }
    } catch (IOException | IllegalArgumentException e) {
      LOG.errorf("tokens not reloaded, the old ones stay: %s", e.getMessage());
    }
    return null;
  }

  private void take(String text) {
    seen = text;
    List<TokenEntry> all = new ArrayList<>(fixed);
    all.addAll(TokenFile.parse(text));
    entries = List.copyOf(all);
  }

  private static String sha256(String token) {
    try {
      return HexFormat.of()
          .formatHex(
              MessageDigest.getInstance("SHA-256").digest(token.getBytes(StandardCharsets.UTF_8)));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }
}
