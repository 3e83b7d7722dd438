package io.spillway.server.config;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.time.Duration;

/** How long what is kept. */
@ConfigMapping(prefix = "spillway.retention")
public interface RetentionConfig {
  @WithDefault("90d")
  Duration jobs();

  @WithDefault("14d")
  Duration evaluations();

  @WithDefault("30d")
  Duration journal();

  /** At least this long, and until every cursor is past. */
  @WithDefault("1d")
  Duration inbox();

  /** How often is looked. */
  @WithDefault("60s")
  Duration every();
}
