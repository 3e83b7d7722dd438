package io.spillway.server.sse;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.time.Duration;

/** Limits of event streams. */
@ConfigMapping(prefix = "spillway.streams")
public interface StreamConfig {

  /** Streams open at once in this process; one more is answered with 503. */
  @WithDefault("500")
  int max();

  /** A comment is sent that often, so that proxies keep the connection and the end is noticed. */
  @WithDefault("15s")
  Duration heartbeat();

  /** Events that may wait for a slow client before it is dropped. */
  @WithDefault("1000")
  int buffer();
}
