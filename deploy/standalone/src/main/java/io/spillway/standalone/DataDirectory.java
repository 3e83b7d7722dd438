package io.spillway.standalone;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Where everything is kept; held by one launcher at a time. */
final class DataDirectory implements AutoCloseable {
  private static final int TOKEN_BYTES = 16;

  private final Path path;
  private final boolean temporary;
  private final FileLock lock;

  /**
   * @param wanted empty = a new one that is deleted at the end
   * @throws IOException if another launcher uses it
   */
  DataDirectory(Optional<Path> wanted) throws IOException {
    this.temporary = wanted.isEmpty();
    this.path = temporary ? Files.createTempDirectory("spillway-") : wanted.get().toAbsolutePath();
    Files.createDirectories(path);
    RandomAccessFile file = new RandomAccessFile(path.resolve("lock").toFile(), "rw");
    // The system lets go of it however this process ends.
    FileLock got = file.getChannel().tryLock();
    if (got == null) {
      file.close();
      throw new IOException("another Spillway runs on " + path);
    }
    this.lock = got;
  }

  Path path() {
    return path;
  }

  boolean temporary() {
    return temporary;
  }

  /** The administrator's token: the one asked for, the one kept here, or a new one. It is kept. */
  String adminToken(Optional<String> wanted) throws IOException {
    Path file = path.resolve("admin-token");
    String token =
        wanted.isPresent()
            ? wanted.get()
            : Files.exists(file) ? Files.readString(file).strip() : random();
    Files.deleteIfExists(file);
    Files.createFile(
        file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    Files.writeString(file, token + "\n");
    return token;
  }

  private static String random() {
    byte[] bytes = new byte[TOKEN_BYTES];
    new SecureRandom().nextBytes(bytes);
    return HexFormat.of().formatHex(bytes);
  }

  @Override
  public void close() throws IOException {
    lock.release();
    lock.channel().close();
    if (temporary) {
      try (Stream<Path> files = Files.walk(path)) {
        List<Path> deepestFirst = files.sorted(Comparator.reverseOrder()).toList();
        for (Path file : deepestFirst) {
          Files.deleteIfExists(file);
        }
      } catch (UncheckedIOException e) {
        throw e.getCause();
      }
    }
  }
}
