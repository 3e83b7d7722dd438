package io.spillway.server.config;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.time.Duration;

/** The agents' door. */
@ConfigMapping(prefix = "spillway.gateway")
public interface GatewayConfig {
  /** How long a new stream may take to say who it is. */
  @WithDefault("10s")
  Duration helloTimeout();

  /** Silence of an agent after which its stream is closed. */
  @WithDefault("30s")
  Duration silence();

  /** How often a cluster is swept. */
  @WithDefault("5m")
  Duration sweepEvery();

  /** How long after a sweep that found a stray the next one comes; two must be 60 s apart. */
  @WithDefault("65s")
  Duration straySweepAfter();

  /** A command is sent again when no report made it moot for this long. */
  @WithDefault("30s")
  Duration resendAfter();

  /** How often commands are looked for when nobody said that there are any. */
  @WithDefault("2s")
  Duration poll();

  /** A replica that did not renew for this long is dead, and so are its sessions. */
  @WithDefault("15s")
  Duration replicaLease();

  /** What a workload gets to end in when nothing says otherwise. */
  @WithDefault("30s")
  Duration grace();

  /** The largest frame, in bytes. */
  @WithDefault("4194304")
  int maxFrameBytes();

  /** Messages in a frame, and inputs in an inbox row made of several. */
  @WithDefault("1000")
  int maxMessages();

  /** Frames of a stream that may be under way at once; more are left in the network. */
  @WithDefault("32")
  int window();
}
