package io.spillway.verify.helm;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.util.Base64;
import java.util.List;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/**
 * What stands in a Secret of type kubernetes.io/tls, for localhost, and a client that trusts it.
 */
record TlsFiles(Path directory, Certificate certificate) {
  private static final String PASSWORD = "changeit";

  static TlsFiles make(Path directory)
      throws IOException, InterruptedException, GeneralSecurityException {
    Files.createDirectories(directory);
    Path store = directory.resolve("store.p12");
    String keytool = Path.of(System.getProperty("java.home"), "bin", "keytool").toString();
    String options =
        "-genkeypair -alias server -keyalg EC -validity 1 -dname CN=localhost"
            + " -ext san=dns:localhost -storetype PKCS12 -storepass "
            + PASSWORD;
    List<String> command = List.of((keytool + ' ' + options + " -keystore " + store).split(" "));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (process.waitFor() != 0) {
      throw new IOException("keytool: " + said);
    }
    KeyStore keys = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(store)) {
      keys.load(in, PASSWORD.toCharArray());
    }
    Certificate certificate = keys.getCertificate("server");
    byte[] key = keys.getKey("server", PASSWORD.toCharArray()).getEncoded();
    pem(directory.resolve("tls.crt"), "CERTIFICATE", certificate.getEncoded());
    pem(directory.resolve("tls.key"), "PRIVATE KEY", key);
    return new TlsFiles(directory, certificate);
  }

  private static void pem(Path file, String what, byte[] der) throws IOException {
    String text = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(der);
    Files.writeString(
        file, "-----BEGIN " + what + "-----\n" + text + "\n-----END " + what + "-----\n");
  }

  SSLContext trust() throws IOException, GeneralSecurityException {
    KeyStore trusted = KeyStore.getInstance(KeyStore.getDefaultType());
    trusted.load(null, null);
    trusted.setCertificateEntry("server", certificate);
    TrustManagerFactory managers =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    managers.init(trusted);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, managers.getTrustManagers(), null);
    return context;
  }
}
