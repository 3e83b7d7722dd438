package io.spillway.verify.real;

import com.sun.net.httpserver.HttpExchange;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.PublicKey;
import java.security.Signature;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Checks requests as OCI does: signed by RSA-SHA256 over date, request line and host, and over the
 * body's length, type and hash where there is one; no older than five minutes (OCI documentation,
 * Request Signatures).
 */
final class OciSignature {
  private static final Pattern FIELD = Pattern.compile("(\\w+)=\"([^\"]*)\"");
  private static final List<String> OF_ALL = List.of("date", "(request-target)", "host");
  private static final List<String> OF_BODIES =
      List.of("content-length", "content-type", "x-content-sha256");
  private static final Duration SKEW = Duration.ofMinutes(5);

  private final String keyId;
  private final PublicKey key;

  /**
   * @param keyId tenancy, user and fingerprint, separated by strokes
   */
  OciSignature(String keyId, PublicKey key) {
    this.keyId = keyId;
    this.key = key;
  }

  /** What is wrong with it; empty if nothing is. */
  Optional<String> fault(HttpExchange exchange, byte[] body) {
    String authorization = header(exchange, "authorization");
    if (!authorization.startsWith("Signature ")) {
      return Optional.of("not signed");
    }
    if (!field(authorization, "keyId").equals(keyId)) {
      return Optional.of("another key");
    }
    List<String> signed = List.of(field(authorization, "headers").split(" "));
    if (!signed.containsAll(OF_ALL) || (body.length > 0 && !signed.containsAll(OF_BODIES))) {
      return Optional.of("signs too little: " + signed);
    }
    try {
      if (!isFresh(header(exchange, "date"))) {
        return Optional.of("the date is more than five minutes off");
      }
      if (body.length > 0 && !hash(body).equals(header(exchange, "x-content-sha256"))) {
        return Optional.of("the body is another one");
      }
      Signature verifier = Signature.getInstance("SHA256withRSA");
      verifier.initVerify(key);
      verifier.update(text(exchange, signed).getBytes(StandardCharsets.UTF_8));
      return verifier.verify(Base64.getDecoder().decode(field(authorization, "signature")))
          ? Optional.empty()
          : Optional.of("the signature is wrong");
    } catch (GeneralSecurityException | DateTimeException | IllegalArgumentException e) {
      return Optional.of(e.getClass().getSimpleName());
    }
  }

  private static String text(HttpExchange exchange, List<String> signed) {
    return String.join(
        "\n",
        signed.stream()
            .map(
                name ->
                    name.equals("(request-target)")
                        ? name
                            + ": "
                            + exchange.getRequestMethod().toLowerCase(Locale.ROOT)
                            + " "
                            + exchange.getRequestURI()
                        : name + ": " + header(exchange, name))
            .toList());
  }

  private static boolean isFresh(String date) {
    Instant at = ZonedDateTime.parse(date, DateTimeFormatter.RFC_1123_DATE_TIME).toInstant();
    return Duration.between(at, Instant.now()).abs().compareTo(SKEW) < 0;
  }

  private static String hash(byte[] body) throws GeneralSecurityException {
    return Base64.getEncoder().encodeToString(MessageDigest.getInstance("SHA-256").digest(body));
  }

  private static String header(HttpExchange exchange, String name) {
    return Optional.ofNullable(exchange.getRequestHeaders().getFirst(name)).orElse("");
  }

  private static String field(String authorization, String name) {
    Matcher fields = FIELD.matcher(authorization);
    while (fields.find()) {
      if (fields.group(1).equals(name)) {
        return fields.group(2);
      }
    }
    return "";
  }
}
