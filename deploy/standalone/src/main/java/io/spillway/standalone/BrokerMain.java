package io.spillway.standalone;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Properties;
import kafka.Kafka;
import kafka.tools.StorageTool;

/**
 * The broker's process: formats its directory the first time and runs. It is the plain Kafka
 * broker, not a test kit, since its data must outlive it: the server's offsets stand in the
 * database.
 */
public final class BrokerMain {
  private BrokerMain() {}

  /** One argument: the properties file. */
  public static void main(String[] args) throws IOException {
    Path file = Path.of(args[0]);
    Properties properties = new Properties();
    try (InputStream in = Files.newInputStream(file)) {
      properties.load(in);
    }
    int formatted =
        StorageTool.execute(
            new String[] {
              "format",
              "--ignore-formatted",
              "--cluster-id",
              properties.getProperty("spillway.cluster.id"),
              "--config",
              file.toString()
            },
            System.out);
    if (formatted != 0) {
      System.exit(formatted);
    }
    Kafka.main(new String[] {file.toString()});
  }
}
