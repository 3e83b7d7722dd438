package io.spillway.server.config;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.time.Duration;

/** The scheduling loop. */
@ConfigMapping(prefix = "spillway.loop")
public interface LoopConfig {
  /** How often the inbox and the journal are looked at when nobody said that there is something. */
  @WithDefault("200ms")
  Duration poll();

  /** A loop that has not come round for this long is reported dead. */
  @WithDefault("30s")
  Duration watchdog();

  /** A memo is written at the latest after this time… */
  @WithDefault("60s")
  Duration memoEvery();

  /** …or after this many events. */
  @WithDefault("10000")
  int memoEvents();
}
