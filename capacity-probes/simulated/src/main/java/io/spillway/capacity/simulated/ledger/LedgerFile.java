package io.spillway.capacity.simulated.ledger;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.spillway.capacity.simulated.time.Timeline;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Consumer;

/**
 * The ledger as a file. One writer thread takes all lines that wait, writes them and syncs once: at
 * thousands of lines a second the sync is shared, alone it costs one. A line cut short by a kill
 * was never durable, so it is cut off when the file is opened again.
 */
public final class LedgerFile implements Ledger {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int TAKE = 4_096;

  private final Timeline timeline;
  private final FileChannel channel;
  private final LinkedBlockingQueue<Waiting> queue = new LinkedBlockingQueue<>();
  private final Thread writer;
  private volatile boolean closed;

  public LedgerFile(Path file, Timeline timeline) throws IOException {
    this.timeline = timeline;
    Files.createDirectories(file.toAbsolutePath().getParent());
    cutTornLine(file);
    this.channel =
        FileChannel.open(
            file, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.APPEND);
    this.writer = Thread.ofPlatform().name("clouds-ledger").start(this::write);
  }

  @Override
  public void append(LedgerLine line, Runnable durable) {
    queue.add(new Waiting(Optional.of(line), durable));
  }

  @Override
  public void then(Runnable durable) {
    queue.add(new Waiting(Optional.empty(), durable));
  }

  private void write() {
    List<Waiting> taken = new ArrayList<>();
    while (!closed || !queue.isEmpty()) {
      try {
        taken.add(queue.take());
        queue.drainTo(taken, TAKE);
        sync(taken);
        List<Waiting> synced = List.copyOf(taken);
        timeline.execute(() -> synced.forEach(waiting -> waiting.durable.run()));
        taken.clear();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return;
      } catch (IOException e) {
        // Without its book this process must not go on: it would report what it may forget.
        throw new UncheckedIOException("the ledger cannot be written", e);
      }
    }
  }

  private void sync(List<Waiting> taken) throws IOException {
    StringBuilder text = new StringBuilder(256 * taken.size());
    for (Waiting waiting : taken) {
      if (waiting.line.isPresent()) {
        text.append(JSON.writeValueAsString(waiting.line.get())).append('\n');
      }
    }
    if (text.isEmpty()) {
      return;
    }
    ByteBuffer bytes = ByteBuffer.wrap(text.toString().getBytes(StandardCharsets.UTF_8));
    while (bytes.hasRemaining()) {
      channel.write(bytes);
    }
    channel.force(false);
  }

  /** Reads all whole lines, oldest first. */
  public static void read(Path file, Consumer<LedgerLine> reader) throws IOException {
    if (!Files.exists(file)) {
      return;
    }
    try (BufferedReader lines = Files.newBufferedReader(file)) {
      int number = 0;
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        number++;
        LedgerLine parsed;
        try {
          parsed = JSON.readValue(line, LedgerLine.class);
        } catch (JsonProcessingException e) {
          if (lines.readLine() == null) {
            return;
          }
          throw new IOException(file + " line " + number + " is no ledger line", e);
        }
        reader.accept(parsed);
      }
    }
  }

  private static void cutTornLine(Path file) throws IOException {
    if (!Files.exists(file) || Files.size(file) == 0) {
      return;
    }
    try (FileChannel channel =
        FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      long end = channel.size();
      ByteBuffer one = ByteBuffer.allocate(1);
      while (end > 0) {
        one.clear();
        channel.read(one, end - 1);
        if (one.get(0) == '\n') {
          break;
        }
        end--;
      }
      channel.truncate(end);
    }
  }

  @Override
  public void close() {
    closed = true;
    queue.add(new Waiting(Optional.empty(), () -> {}));
    try {
      writer.join();
      channel.close();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A line and what waits for it; without a line it only waits for those before. */
  private record Waiting(Optional<LedgerLine> line, Runnable durable) {}
}
