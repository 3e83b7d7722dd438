package io.spillway.standalone;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.Set;

/**
 * A base backup by hand: files are copied between {@code pg_backup_start} and {@code
 * pg_backup_stop}, the log of changes last, so that a start on the copy replays what changed while
 * it was made.
 */
final class HotCopy {
  /** Of the running server, not of its data. */
  private static final Set<String> LEFT_OUT = Set.of("postmaster.pid", "postmaster.opts");

  private static final String LOG = "pg_wal";

  private HotCopy() {}

  static Instant take(Connection connection, Path data, Path target)
      throws IOException, SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute("select pg_backup_start('copy', true)");
      copy(data, target, LOG);
      Instant copied = Instant.now();
      try (ResultSet stopped =
          statement.executeQuery("select labelfile from pg_backup_stop(false)")) {
        stopped.next();
        Files.writeString(target.resolve("backup_label"), stopped.getString(1));
      }
      copy(data.resolve(LOG), target.resolve(LOG), "");
      return copied;
    }
  }

  static void copy(Path from, Path to) throws IOException {
    copy(from, to, "");
  }

  private static void copy(Path from, Path to, String without) throws IOException {
    Files.walkFileTree(
        from,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes)
              throws IOException {
            Path target = to.resolve(from.relativize(directory).toString());
            // PostgreSQL starts on a directory only if it is its owner's alone.
            Files.createDirectories(
                target,
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
            boolean left = directory.getFileName().toString().equals(without);
            return left ? FileVisitResult.SKIP_SUBTREE : FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            if (!LEFT_OUT.contains(file.getFileName().toString())) {
              Files.copy(file, to.resolve(from.relativize(file).toString()));
            }
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFileFailed(Path file, IOException failure)
              throws IOException {
            if (failure instanceof NoSuchFileException) {
              return FileVisitResult.CONTINUE; // dropped meanwhile: the log knows
            }
            throw failure;
          }
        });
  }
}
