package io.spillway.capacity.simulated;

import io.spillway.capacity.simulated.cloud.EventSink;
import io.spillway.capacity.simulated.control.ControlServer;
import io.spillway.capacity.simulated.time.RealTimeline;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.logging.Level;
import java.util.logging.Logger;

/**
 * The clouds' process. One argument: a settings file. Says {@code clouds listen on
 * 127.0.0.1:<port>} once it is ready and ends on SIGTERM; after kill -9 it goes on where its ledger
 * ends.
 */
public final class CloudsMain {
  private static final Logger LOG = Logger.getLogger(CloudsMain.class.getName());
  private static final int BROKEN = 70;

  private CloudsMain() {}

  /** Starts the process. */
  public static void main(String[] args) throws IOException {
    if (args.length != 1) {
      System.err.println("usage: CloudsMain <settings.json>");
      System.exit(2);
    }
    // A clouds' process that lost its ledger's thread would report what it may forget.
    Thread.setDefaultUncaughtExceptionHandler(
        (thread, failure) -> {
          LOG.log(Level.SEVERE, "thread " + thread.getName() + " died", failure);
          Runtime.getRuntime().halt(BROKEN);
        });
    CloudsSettings settings = CloudsSettings.read(Path.of(args[0]));
    RealTimeline timeline = new RealTimeline();
    EventSink events = Clouds.events(settings.kafka());
    Clouds clouds = new Clouds(timeline, settings, events);
    ControlServer control = new ControlServer(clouds, settings.port());
    writePort(settings.directory(), control.port());
    Runtime.getRuntime()
        .addShutdownHook(
            Thread.ofPlatform()
                .name("clouds-end")
                .unstarted(
                    () -> {
                      control.close();
                      clouds.close();
                      timeline.close();
                    }));
    System.out.println("clouds listen on 127.0.0.1:" + control.port());
  }

  private static void writePort(Path directory, int port) throws IOException {
    Path next = directory.resolve("port.next");
    Files.writeString(next, Integer.toString(port));
    Files.move(
        next,
        directory.resolve("port"),
        StandardCopyOption.REPLACE_EXISTING,
        StandardCopyOption.ATOMIC_MOVE);
  }
}
