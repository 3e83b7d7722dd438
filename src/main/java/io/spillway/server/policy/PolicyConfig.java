package io.spillway.server.policy;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/** Where policies come from. */
@ConfigMapping(prefix = "spillway.policies")
public interface PolicyConfig {
  /** Who may change policies. */
  @WithDefault("directory")
  Source source();

  /** Files that end in yaml, yml or json, at any depth; hidden folders are left out. */
  Optional<Path> directory();

  /** A change of the directory is offered once its content was the same for that long. */
  @WithDefault("5s")
  Duration settle();

  /** How often the directory is looked at. */
  @WithDefault("1s")
  Duration poll();

  /** The one place where policies are written. */
  enum Source {
    DIRECTORY,
    API
  }
}
