package io.spillway.benchmark.load;

import io.spillway.standalone.Installation;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/** The live heap of another Java process. */
final class Heap {
  private Heap() {}

  /** Bytes that a full collection leaves. The process stands still meanwhile. */
  static long liveBytes(long pid) throws IOException {
    Process jcmd =
        new ProcessBuilder(
                Path.of(Installation.java()).resolveSibling("jcmd").toString(),
                Long.toString(pid),
                "GC.class_histogram")
            .redirectErrorStream(true)
            .start();
    String last = "";
    String said = new String(jcmd.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    for (String line : said.split("\n")) {
      if (line.startsWith("Total")) {
        last = line;
      }
    }
    if (last.isEmpty()) {
      throw new IOException("no histogram of process " + pid + ": " + said);
    }
    String[] fields = last.strip().split(" +");
    return Long.parseLong(fields[2]);
  }
}
