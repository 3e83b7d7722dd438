package io.spillway.server.kill;

import io.spillway.scheduler.model.AttemptId;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;

/** What an agent really did, one line each, synced before it counts as done. */
final class Ledger implements AutoCloseable {
  private final FileChannel file;

  Ledger(Path path) {
    try {
      file =
          FileChannel.open(
              path, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.APPEND);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** What can happen to an attempt in a cluster. */
  enum Act {
    START,
    STOP,
    END,
    /** Its end is durable at the scheduler. */
    TOLD
  }

  /** One of them, at wall clock milliseconds. */
  record Line(long at, Act act, AttemptId attempt, long epoch) {
    static Line parse(String text) {
      String[] parts = text.split(" ");
      return new Line(
          Long.parseLong(parts[0]),
          Act.valueOf(parts[1]),
          AttemptId.parse(parts[2]),
          Long.parseLong(parts[3]));
    }
  }

  synchronized void write(Act act, AttemptId attempt, long epoch) {
    String line = System.currentTimeMillis() + " " + act + " " + attempt + " " + epoch + "\n";
    try {
      file.write(ByteBuffer.wrap(line.getBytes(StandardCharsets.UTF_8)));
      file.force(false);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** All lines; a last one without an end was never written. */
  static List<Line> read(Path path) {
    try {
      if (!Files.exists(path)) {
        return List.of();
      }
      String text = Files.readString(path);
      return text.substring(0, text.lastIndexOf('\n') + 1).lines().map(Line::parse).toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
