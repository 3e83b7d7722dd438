package io.spillway.verify.kill;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;

/**
 * Lifts every block every few seconds: after the clouds' trouble refusals would close everything
 * for minutes, and a scheduler that cannot launch has nothing to lose.
 */
final class Operator {
  private static final int EVERY_MILLIS = 3_000;

  private final Api api;
  private Thread thread;
  private volatile boolean stopping;

  Operator(Api api) {
    this.api = api;
  }

  void start() {
    thread = Thread.ofVirtual().name("operator").start(this::work);
  }

  void stop() throws InterruptedException {
    stopping = true;
    thread.join();
  }

  private void work() {
    try {
      while (!stopping) {
        try {
          unblock();
        } catch (IOException killed) {
          // The servers are being killed: the next look finds what is still blocked.
        }
        Pace.millis(EVERY_MILLIS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void unblock() throws IOException, InterruptedException {
    for (JsonNode offering : api.get("/api/v1/offerings").path("items")) {
      if (offering.hasNonNull("block") && offering.hasNonNull("id")) {
        api.call(
            "POST",
            "/api/v1/offerings/" + offering.path("id").asText() + ":unblock",
            Optional.empty(),
            Map.of());
      }
    }
  }
}
