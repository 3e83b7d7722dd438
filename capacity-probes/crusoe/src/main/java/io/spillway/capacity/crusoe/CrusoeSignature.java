package io.spillway.capacity.crusoe;

import io.spillway.capacity.http.HttpCall;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Base64;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Crusoe's signature: HMAC-SHA256 by the decoded secret over path, sorted query, method and time,
 * each on a line; told as {@code Bearer 1.0:<access key>:<signature>} beside the time.
 */
final class CrusoeSignature implements HttpCall.Signer {
  private static final String ALGORITHM = "HmacSHA256";

  /** Whole seconds, and the offset in figures where the JDK would write Z. */
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ssxxx").withZone(ZoneOffset.UTC);

  private final String accessKeyId;
  private final SecretKeySpec key;

  /**
   * @throws IllegalArgumentException if the secret is not base 64; the message does not show it
   */
  CrusoeSignature(String accessKeyId, String secret) {
    this.accessKeyId = accessKeyId;
    this.key = new SecretKeySpec(decoded(secret), ALGORITHM);
  }

  private static byte[] decoded(String secret) {
    try {
      return Base64.getUrlDecoder().decode(secret.replace("=", ""));
    } catch (IllegalArgumentException e) {
      // Not passed on: its message shows a part of the secret.
      throw new IllegalArgumentException("credentials.secret-key is not base 64 (URL alphabet)");
    }
  }

  @Override
  public HttpCall sign(HttpCall call, Instant providersTime) {
    String time = TIME.format(providersTime);
    String payload = String.join("\n", call.path(), call.canonicalQuery(), call.method(), time, "");
    return call.header("X-Crusoe-Timestamp", time)
        .header("Authorization", "Bearer 1.0:" + accessKeyId + ':' + signature(payload));
  }

  private String signature(String payload) {
    try {
      Mac mac = Mac.getInstance(ALGORITHM);
      mac.init(key);
      return Base64.getUrlEncoder()
          .withoutPadding()
          .encodeToString(mac.doFinal(payload.getBytes(StandardCharsets.UTF_8)));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every JDK has " + ALGORITHM, e);
    }
  }

  @Override
  public boolean timed() {
    return true;
  }
}
