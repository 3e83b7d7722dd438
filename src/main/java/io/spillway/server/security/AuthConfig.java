package io.spillway.server.security;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/** Where callers are known from. */
@ConfigMapping(prefix = "spillway.auth")
public interface AuthConfig {

  /** YAML list of tokens: name, sha256, role, queues. */
  Optional<Path> tokensFile();

  /** How often the file is looked at. */
  @WithDefault("2s")
  Duration tokensReload();

  /** An administrator's token in clear, for a single machine; from the environment only. */
  Optional<String> adminToken();

  Oidc oidc();

  /** JWT bearer tokens beside the file's; the keys are mapped to the framework's own. */
  interface Oidc {
    @WithDefault("false")
    boolean enabled();

    /** The issuer, which publishes its keys. */
    Optional<String> authServerUrl();

    @WithDefault("spillway")
    String clientId();

    /** A fixed key in place of an issuer's. */
    Optional<String> publicKey();

    Optional<String> issuer();

    Optional<String> audience();
  }
}
