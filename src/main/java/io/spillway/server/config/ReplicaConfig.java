package io.spillway.server.config;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.util.Optional;

/** What this process is. */
@ConfigMapping(prefix = "spillway.replica")
public interface ReplicaConfig {
  /** The cell whose inbox, journal and leadership it shares. */
  @WithDefault("main")
  String cell();

  /** Its name, for people; the host's name and process id if it is not set. */
  Optional<String> name();

  /** Where other replicas reach its HTTP port, {@code host:port}. */
  Optional<String> address();
}
