package io.spillway.server.rest;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;

/**
 * Accounts that the server under test probes by itself: one whose market answers, one that nobody
 * answers for, one that refuses its credentials, and two that are set wrongly.
 */
final class ProbedMarkets {
  static final String GOOD = "probe-good";
  static final String SILENT = "probe-silent";
  static final String REFUSED = "probe-refused";
  static final String WRONG = "probe-wrong";
  static final String BARE = "probe-bare";

  /** What the accounts play: a provider without a module. */
  static final String MARKET = "testcloud";

  private static final String OFFERINGS =
      """
      [{"region": "test-north", "zone": "test-north-1", "instanceType": "t8.h100",
        "capacityType": "spot", "gpu": "nvidia-h100-80gb", "gpus": 8, "cpus": 192,
        "memoryGiB": 2048, "priceMicros": 1230000, "onDemandMicros": 4000000, "free": 3},
       {"region": "test-north", "zone": "test-north-1", "instanceType": "t8.a100",
        "capacityType": "spot", "gpu": "nvidia-a100-80gb", "gpus": 8, "cpus": 96,
        "memoryGiB": 1024, "priceMicros": 10, "onDemandMicros": 2000000, "free": 3}]
      """;

  private HttpServer server;

  Map<String, String> start() throws IOException {
    InetAddress loopback = InetAddress.getLoopbackAddress();
    server = HttpServer.create(new InetSocketAddress(loopback, 0), 0);
    server.createContext("/accounts/" + GOOD, call -> answer(call, 200, OFFERINGS));
    server.createContext("/accounts/" + REFUSED, call -> answer(call, 403, "the key is unknown"));
    server.start();
    String there = "http://127.0.0.1:" + server.getAddress().getPort();
    Map<String, String> settings = new HashMap<>();
    account(settings, GOOD, "endpoint", there);
    account(settings, GOOD, "interval", "1s");
    account(settings, REFUSED, "endpoint", there);
    // Port 1 is nobody's.
    account(settings, SILENT, "endpoint", "http://127.0.0.1:1");
    account(settings, WRONG, "endpoint", there);
    account(settings, WRONG, "interval", "soon");
    settings.put("spillway.providers.simulated.accounts." + BARE + ".endpoint", there);
    return settings;
  }

  private static void account(Map<String, String> settings, String name, String key, String value) {
    String prefix = "spillway.providers.simulated.accounts." + name + ".";
    settings.put(prefix + "credentials.provider", MARKET);
    settings.put(prefix + key, value);
  }

  private static void answer(HttpExchange call, int status, String body) throws IOException {
    byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
    call.sendResponseHeaders(status, bytes.length);
    try (OutputStream out = call.getResponseBody()) {
      out.write(bytes);
    }
  }

  void stop() {
    server.stop(0);
  }
}
