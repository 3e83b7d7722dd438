package io.spillway.server.config;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.time.Duration;

/** Who leads. */
@ConfigMapping(prefix = "spillway.leader")
public interface LeaderConfig {
  /** How long a leader leads without renewing. */
  @WithDefault("5s")
  Duration lease();

  /** How often it renews, and how often others look. */
  @WithDefault("1s")
  Duration renew();

  /** A replica whose clock differs more than this from the database's may not lead. */
  @WithDefault("2s")
  Duration maxClockSkew();
}
