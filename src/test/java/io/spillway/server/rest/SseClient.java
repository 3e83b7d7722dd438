package io.spillway.server.rest;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/** A client of an event stream that reads on a thread of its own. */
final class SseClient implements AutoCloseable {
  private final HttpURLConnection connection;
  private final List<String> ids = new CopyOnWriteArrayList<>();
  private final List<String> types = new CopyOnWriteArrayList<>();

  // Filled by the reader, read by the test.
  @SuppressWarnings("JdkObsolete")
  private final StringBuffer data = new StringBuffer();

  private final AtomicInteger comments = new AtomicInteger();
  private volatile int status;

  private SseClient(HttpURLConnection connection) {
    this.connection = connection;
  }

  static SseClient open(URI uri, String token, String lastId) {
    try {
      HttpURLConnection connection = (HttpURLConnection) uri.toURL().openConnection();
      connection.setRequestProperty("Authorization", "Bearer " + token);
      connection.setRequestProperty("Accept", "text/event-stream");
      if (!lastId.isEmpty()) {
        connection.setRequestProperty("Last-Event-ID", lastId);
      }
      SseClient client = new SseClient(connection);
      Thread.ofVirtual().start(client::read);
      return client;
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  /** 0 until the head of the answer has come. */
  int status() {
    return status;
  }

  List<String> ids() {
    return ids;
  }

  List<String> types() {
    return types;
  }

  String data() {
    return data.toString();
  }

  int comments() {
    return comments.get();
  }

  @Override
  public void close() {
    connection.disconnect();
  }

  private void read() {
    try {
      status = connection.getResponseCode();
      try (BufferedReader lines =
          new BufferedReader(
              new InputStreamReader(connection.getInputStream(), StandardCharsets.UTF_8))) {
        lines.lines().forEach(this::take);
      }
    } catch (IOException | RuntimeException e) {
      // The other side or the test closed it: what was read is there.
      data.append("");
    }
  }

  private void take(String line) {
    if (line.startsWith(":")) {
      comments.incrementAndGet();
    } else if (line.startsWith("id:")) {
      ids.add(line.substring(3).trim());
    } else if (line.startsWith("event:")) {
      types.add(line.substring(6).trim());
    } else if (line.startsWith("data:")) {
      data.append(line.substring(5)).append('\n');
    }
  }
}
