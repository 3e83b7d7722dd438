package io.spillway.capacity.gcp;

import java.net.URI;
import java.security.KeyPairGenerator;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;

/** A service account's key of its own for each run of the tests. */
final class Keys {
  private static final String PEM = pem();

  private Keys() {}

  static String json(URI tokens) {
    return """
        {"type":"service_account","project_id":"p-1","private_key_id":"k-1","private_key":"%s",
         "client_email":"probe@p-1.iam.gserviceaccount.com","client_id":"1","token_uri":"%s/token"}
        """
        .formatted(PEM, tokens);
  }

  private static String pem() {
    try {
      KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
      generator.initialize(2_048);
      return "-----BEGIN PRIVATE KEY-----\\n"
          + Base64.getEncoder()
              .encodeToString(generator.generateKeyPair().getPrivate().getEncoded())
          + "\\n-----END PRIVATE KEY-----\\n";
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
