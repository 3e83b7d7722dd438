package io.spillway.server.config;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.util.Optional;

/** What stands in the line that installs an agent. */
@ConfigMapping(prefix = "spillway.install")
public interface InstallConfig {
  /** Where agents reach this server, {@code https://host}; as the caller found it if not set. */
  Optional<String> server();

  /** The chart, as Helm takes it: a folder, an archive or {@code oci://…}. */
  @WithDefault("deploy/helm/spillway-agent")
  String chart();

  /** Where clusters pull the agent's image from; as the chart says if not set. */
  Optional<String> image();
}
