package io.spillway.capacity.oci;

import java.nio.charset.StandardCharsets;
import java.security.KeyPairGenerator;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;

/** A private key of its own for each run of the tests. */
final class Keys {
  static final String PEM = pem();

  private Keys() {}

  private static String pem() {
    try {
      KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
      generator.initialize(2_048);
      byte[] key = generator.generateKeyPair().getPrivate().getEncoded();
      String text =
          Base64.getMimeEncoder(64, "\n".getBytes(StandardCharsets.US_ASCII)).encodeToString(key);
      return "-----BEGIN PRIVATE KEY-----\n" + text + "\n-----END PRIVATE KEY-----\n";
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
