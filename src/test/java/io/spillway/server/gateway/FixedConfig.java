package io.spillway.server.gateway;

import io.spillway.server.config.GatewayConfig;
import java.time.Duration;

/** The gateway's settings at the pace of a test. */
record FixedConfig(
    Duration helloTimeout,
    Duration silence,
    Duration sweepEvery,
    Duration straySweepAfter,
    Duration resendAfter,
    Duration replicaLease)
    implements GatewayConfig {

  /** Nothing times out while a test runs. */
  static final FixedConfig PATIENT =
      new FixedConfig(
          Duration.ofSeconds(60),
          Duration.ofSeconds(60),
          Duration.ofMinutes(5),
          Duration.ofSeconds(65),
          Duration.ofSeconds(60),
          Duration.ofSeconds(3));

  FixedConfig withHelloTimeout(Duration time) {
    return new FixedConfig(time, silence, sweepEvery, straySweepAfter, resendAfter, replicaLease);
  }

  FixedConfig withSilence(Duration time) {
    return new FixedConfig(
        helloTimeout, time, sweepEvery, straySweepAfter, resendAfter, replicaLease);
  }

  FixedConfig withStraySweepAfter(Duration time) {
    return new FixedConfig(helloTimeout, silence, sweepEvery, time, resendAfter, replicaLease);
  }

  FixedConfig withResendAfter(Duration time) {
    return new FixedConfig(helloTimeout, silence, sweepEvery, straySweepAfter, time, replicaLease);
  }

  @Override
  public Duration poll() {
    return Duration.ofMillis(200);
  }

  @Override
  public Duration grace() {
    return Duration.ofSeconds(30);
  }

  @Override
  public int maxFrameBytes() {
    return 4 * 1024 * 1024;
  }

  @Override
  public int maxMessages() {
    return 1_000;
  }

  @Override
  public int window() {
    return 32;
  }
}
