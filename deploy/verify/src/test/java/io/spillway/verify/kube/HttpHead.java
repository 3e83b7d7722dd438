package io.spillway.verify.kube;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/** The head of an HTTP/1.1 request, as much of it as {@link Wire} needs to know where it ends. */
final class HttpHead {
  private final byte[] bytes;
  private final String[] lines;

  private HttpHead(byte[] bytes) {
    this.bytes = bytes;
    this.lines = new String(bytes, StandardCharsets.ISO_8859_1).split("\r\n");
  }

  /** The next one, or null at the end of the stream; inside this package null never travels on. */
  static HttpHead read(InputStream in) throws IOException {
    ByteArrayOutputStream head = new ByteArrayOutputStream();
    int matched = 0;
    while (matched < 4) {
      int next = in.read();
      if (next < 0) {
        return null;
      }
      head.write(next);
      boolean expected = next == (matched % 2 == 0 ? '\r' : '\n');
      matched = expected ? matched + 1 : next == '\r' ? 1 : 0;
    }
    return new HttpHead(head.toByteArray());
  }

  byte[] bytes() {
    return bytes.clone();
  }

  String method() {
    return lines[0].split(" ")[0];
  }

  String path() {
    return lines[0].split(" ")[1];
  }

  boolean upgrades() {
    return header("upgrade").toLowerCase(Locale.ROOT).contains("websocket")
        || header("upgrade").toLowerCase(Locale.ROOT).contains("spdy");
  }

  private String header(String name) {
    for (String line : lines) {
      if (line.toLowerCase(Locale.ROOT).startsWith(name + ":")) {
        return line.substring(name.length() + 1).strip();
      }
    }
    return "";
  }

  /** Carries the body that follows this head. */
  void body(InputStream in, OutputStream out) throws IOException {
    if (header("transfer-encoding").equalsIgnoreCase("chunked")) {
      for (int size = chunk(in, out); size > 0; size = chunk(in, out)) {
        copy(in, out, size + 2L);
      }
      copy(in, out, 2);
      return;
    }
    String length = header("content-length");
    copy(in, out, length.isEmpty() ? 0 : Long.parseLong(length));
  }

  private static int chunk(InputStream in, OutputStream out) throws IOException {
    StringBuilder line = new StringBuilder();
    for (int next = in.read(); next != '\n'; next = in.read()) {
      if (next < 0) {
        throw new EOFException();
      }
      line.append((char) next);
    }
    out.write((line + "\n").getBytes(StandardCharsets.ISO_8859_1));
    return Integer.parseInt(line.toString().strip().split(";")[0], 16);
  }

  private static void copy(InputStream in, OutputStream out, long length) throws IOException {
    byte[] some = new byte[8_192];
    long left = length;
    while (left > 0) {
      int read = in.read(some, 0, (int) Math.min(left, some.length));
      if (read < 0) {
        throw new EOFException();
      }
      out.write(some, 0, read);
      left -= read;
    }
  }

  /** The status in the first bytes of an answer; 0 if they are none. */
  static int status(byte[] answer, int length) {
    String start = new String(answer, 0, Math.min(length, 16), StandardCharsets.ISO_8859_1);
    return start.startsWith("HTTP/1.") && start.length() > 12
        ? Integer.parseInt(start.substring(9, 12))
        : 0;
  }
}
