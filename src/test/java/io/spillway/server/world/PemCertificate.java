package io.spillway.server.world;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Base64;

/**
 * A certificate that signs itself, made by the JDK's keytool, as the PEM files that servers read.
 */
public record PemCertificate(Path certificate, Path key) {
  private static final char[] PASSWORD = "changeit".toCharArray();

  /** For one host name, good for a day. */
  public static PemCertificate selfSigned(Path directory, String host)
      throws IOException, InterruptedException, GeneralSecurityException {
    Files.createDirectories(directory);
    Path store = directory.resolve("store.p12");
    Process keytool =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-alias",
                "server",
                "-keyalg",
                "EC",
                "-groupname",
                "secp256r1",
                "-validity",
                "1",
                "-dname",
                "CN=" + host,
                "-ext",
                "san=dns:" + host,
                "-ext",
                "bc=ca:true",
                "-storetype",
                "PKCS12",
                "-storepass",
                "changeit",
                "-keystore",
                store.toString())
            .redirectErrorStream(true)
            .start();
    String said = new String(keytool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (keytool.waitFor() != 0) {
      throw new IOException("keytool: " + said);
    }
    KeyStore keys = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(store)) {
      keys.load(in, PASSWORD);
    }
    return new PemCertificate(
        pem(
            directory.resolve("tls.crt"),
            "CERTIFICATE",
            keys.getCertificate("server").getEncoded()),
        pem(
            directory.resolve("tls.key"),
            "PRIVATE KEY",
            keys.getKey("server", PASSWORD).getEncoded()));
  }

  private static Path pem(Path file, String what, byte[] der) throws IOException {
    String text = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(der);
    return Files.writeString(
        file, "-----BEGIN " + what + "-----\n" + text + "\n-----END " + what + "-----\n");
  }

  /** The key as PostgreSQL insists on it: readable by its user alone. */
  public Path keyForPostgres() throws IOException {
    return Files.setPosixFilePermissions(key, PosixFilePermissions.fromString("rw-------"));
  }
}
