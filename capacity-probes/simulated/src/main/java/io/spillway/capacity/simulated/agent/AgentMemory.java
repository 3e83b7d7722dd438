package io.spillway.capacity.simulated.agent;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What agents keep in their clusters over restarts: who they are, how often they started, and the
 * newest store they saw. One small file, replaced whole. Only from the timeline.
 */
public final class AgentMemory {
  private static final ObjectMapper JSON = new ObjectMapper();

  private final Path file;
  private final Map<String, Entry> entries = new LinkedHashMap<>();
  private boolean dirty;

  /**
   * One agent.
   *
   * @param storeGeneration and {@code storeHead}: the highest seen
   */
  public record Entry(
      ClusterSpec spec, String token, long epoch, String storeGeneration, long storeHead) {}

  /** The file's form. */
  private record Document(Map<String, Entry> agents) {}

  public AgentMemory(Path file) throws IOException {
    this.file = file;
    if (Files.exists(file)) {
      entries.putAll(JSON.readValue(file.toFile(), Document.class).agents());
    }
  }

  public Map<String, Entry> agents() {
    return Map.copyOf(entries);
  }

  /** A new agent, or another token or description for a known one. */
  public void enrol(ClusterSpec spec, String token) {
    Entry known = entries.get(spec.name());
    entries.put(
        spec.name(),
        known == null
            ? new Entry(spec, token, 0, "", 0)
            : new Entry(spec, token, known.epoch, known.storeGeneration, known.storeHead));
    save();
  }

  /** Counts a start; durable before the number is used. */
  long nextEpoch(String cluster) {
    Entry e = entries.get(cluster);
    entries.put(cluster, new Entry(e.spec, e.token, e.epoch + 1, e.storeGeneration, e.storeHead));
    save();
    return e.epoch + 1;
  }

  Entry of(String cluster) {
    return entries.get(cluster);
  }

  /**
   * The control plane's store as it just said. A higher head of the same store is kept, a lower one
   * is not; another store begins anew.
   */
  void saw(String cluster, String generation, long head) {
    Entry e = entries.get(cluster);
    boolean same = e.storeGeneration.equals(generation);
    if (same && head <= e.storeHead) {
      return;
    }
    entries.put(cluster, new Entry(e.spec, e.token, e.epoch, generation, head));
    dirty = true;
    if (!same) {
      save();
    }
  }

  /** Writes the heads seen since the last time. */
  public void saveIfChanged() {
    if (dirty) {
      save();
    }
  }

  private void save() {
    dirty = false;
    Path next = file.resolveSibling(file.getFileName() + ".next");
    try {
      byte[] bytes = JSON.writeValueAsBytes(new Document(entries));
      try (FileChannel channel =
          FileChannel.open(
              next,
              StandardOpenOption.CREATE,
              StandardOpenOption.WRITE,
              StandardOpenOption.TRUNCATE_EXISTING)) {
        ByteBuffer buffer = ByteBuffer.wrap(bytes);
        while (buffer.hasRemaining()) {
          channel.write(buffer);
        }
        channel.force(true);
      }
      Files.move(next, file, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      throw new UncheckedIOException("the agents' memory cannot be written", e);
    }
  }
}
