package io.spillway.capacity.nebius;

import io.spillway.capacity.http.Credentials;
import io.spillway.capacity.http.MalformedException;
import io.spillway.capacity.http.ProbeRun;
import io.spillway.capacity.nebius.api.iam.CreateTokenResponse;
import io.spillway.capacity.nebius.api.iam.ExchangeTokenRequest;
import io.spillway.capacity.nebius.api.iam.TokenExchangeServiceGrpc;
import io.spillway.capacity.spi.AccountSettings;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.spec.PKCS8EncodedKeySpec;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;

/**
 * The token that calls carry: the one that the settings hold, or one that is got for a service
 * account's signed statement (a JWT, RS256) and kept for the most of its life, half a day by
 * Nebius's documentation.
 */
sealed interface NebiusToken {

  /** The token for a call of that round. */
  CompletableFuture<String> current(NebiusApi api, ProbeRun run);

  /**
   * It was refused.
   *
   * @return whether another one can be had
   */
  boolean refused(String token);

  /**
   * @throws IllegalArgumentException if the settings hold neither a token nor a service account
   */
  static NebiusToken of(AccountSettings account) {
    if (!account.credentials().getOrDefault("private-key", "").isBlank()) {
      return new Exchanged(
          Credentials.required(account, "service-account-id"),
          Credentials.required(account, "public-key-id"),
          key(account.credentials().get("private-key")));
    }
    if (account.credentials().getOrDefault("token", "").isBlank()) {
      throw new IllegalArgumentException(
          "credentials.token is missing, or credentials.service-account-id, public-key-id and"
              + " private-key in its place");
    }
    return new Fixed(Credentials.required(account, "token"));
  }

  private static PrivateKey key(String pem) {
    String base64 = pem.replaceAll("-----[A-Z ]+-----", "").replaceAll("\\s|\\\\n", "");
    try {
      return KeyFactory.getInstance("RSA")
          .generatePrivate(new PKCS8EncodedKeySpec(Base64.getDecoder().decode(base64)));
    } catch (IllegalArgumentException | GeneralSecurityException e) {
      // Not passed on: its message may show a part of the key.
      throw new IllegalArgumentException("credentials.private-key is no RSA key in PKCS #8 PEM");
    }
  }

  /** A token that somebody else renews. */
  record Fixed(String token) implements NebiusToken {
    @Override
    public CompletableFuture<String> current(NebiusApi api, ProbeRun run) {
      return CompletableFuture.completedFuture(token);
    }

    @Override
    public boolean refused(String refused) {
      return false;
    }

    @Override
    public String toString() {
      return "Fixed";
    }
  }

  /** A service account's. */
  final class Exchanged implements NebiusToken {
    private static final String SERVICE = "tokens.iam";
    private static final Duration STATEMENT = Duration.ofMinutes(5);

    /** The share of a token's life after which another is got, in percent. */
    private static final int RENEWED_AT = 80;

    private final String serviceAccount;
    private final String keyId;
    private final PrivateKey key;
    private final AtomicReference<Known> known = new AtomicReference<>();

    Exchanged(String serviceAccount, String keyId, PrivateKey key) {
      this.serviceAccount = serviceAccount;
      this.keyId = keyId;
      this.key = key;
    }

    @Override
    public CompletableFuture<String> current(NebiusApi api, ProbeRun run) {
      Known have = known.get();
      if (have != null && run.now().isBefore(have.until())) {
        return CompletableFuture.completedFuture(have.token());
      }
      ExchangeTokenRequest request =
          ExchangeTokenRequest.newBuilder()
              .setGrantType("urn:ietf:params:oauth:grant-type:token-exchange")
              .setRequestedTokenType("urn:ietf:params:oauth:token-type:access_token")
              .setSubjectToken(statement(run.providersNow()))
              .setSubjectTokenType("urn:ietf:params:oauth:token-type:jwt")
              .build();
      return api.call(run, SERVICE, TokenExchangeServiceGrpc.getExchangeMethod(), request, "")
          .thenApply(answer -> keep(answer, run.now()));
    }

    private String keep(CreateTokenResponse answer, Instant now) {
      if (answer.getAccessToken().isEmpty() || answer.getExpiresIn() <= 0) {
        throw new MalformedException("the exchange gave no token");
      }
      Duration life =
          Duration.ofSeconds(Math.min(answer.getExpiresIn(), Duration.ofDays(1).toSeconds()));
      known.set(
          new Known(
              answer.getAccessToken(), now.plus(life.multipliedBy(RENEWED_AT).dividedBy(100))));
      return answer.getAccessToken();
    }

    private String statement(Instant now) {
      String head = "{\"alg\":\"RS256\",\"typ\":\"JWT\",\"kid\":\"" + keyId + "\"}";
      String claims =
          "{\"iss\":\"%1$s\",\"sub\":\"%1$s\",\"iat\":%2$d,\"exp\":%3$d}"
              .formatted(
                  serviceAccount, now.getEpochSecond(), now.plus(STATEMENT).getEpochSecond());
      String signed =
          base64(head.getBytes(StandardCharsets.UTF_8))
              + '.'
              + base64(claims.getBytes(StandardCharsets.UTF_8));
      try {
        Signature signature = Signature.getInstance("SHA256withRSA");
        signature.initSign(key);
        signature.update(signed.getBytes(StandardCharsets.UTF_8));
        return signed + '.' + base64(signature.sign());
      } catch (GeneralSecurityException e) {
        throw new IllegalStateException("every JDK signs with RSA", e);
      }
    }

    private static String base64(byte[] bytes) {
      return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    @Override
    public boolean refused(String token) {
      Known have = known.get();
      return have != null && have.token().equals(token) && known.compareAndSet(have, null);
    }

    private record Known(String token, Instant until) {}
  }
}
