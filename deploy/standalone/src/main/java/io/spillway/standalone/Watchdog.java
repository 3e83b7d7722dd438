package io.spillway.standalone;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/**
 * Ends the children when this process dies without doing it, as by kill -9: a shell that reads
 * their ids from a pipe and, when the pipe closes, terminates them. PostgreSQL gets its signal for
 * a fast end.
 */
final class Watchdog implements AutoCloseable {
  private static final String SCRIPT =
      """
      trap '' INT TERM
      gone() { sleep 2; [ -n "$soft" ] && kill -TERM $soft 2>/dev/null
               sleep 1; [ -n "$fast" ] && kill -INT $fast 2>/dev/null; exit 0; }
      soft=''; fast=''
      while read kind pid; do
        case $kind in
          soft) soft="$soft $pid" ;;
          fast) fast="$fast $pid" ;;
          stand-down) exit 0 ;;
        esac
      done
      gone
      """;

  private final Process shell;
  private final OutputStream pipe;

  Watchdog() {
    try {
      this.shell =
          new ProcessBuilder("sh", "-c", SCRIPT)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .start();
      this.pipe = shell.getOutputStream();
    } catch (IOException e) {
      throw new UncheckedIOException("there is no shell to watch over the processes", e);
    }
  }

  void guard(long pid) {
    say("soft " + pid);
  }

  void guardDatabase(long pid) {
    say("fast " + pid);
  }

  private synchronized void say(String line) {
    try {
      pipe.write((line + '\n').getBytes(StandardCharsets.US_ASCII));
      pipe.flush();
    } catch (IOException e) {
      throw new UncheckedIOException("the watchdog is gone", e);
    }
  }

  @Override
  public void close() {
    if (shell.isAlive()) {
      say("stand-down");
    }
  }
}
