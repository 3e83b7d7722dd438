package io.spillway.capacity.gcp;

import com.google.api.client.http.HttpResponseException;
import com.google.auth.oauth2.GoogleCredentials;
import io.spillway.capacity.http.HttpCall;
import io.spillway.capacity.spi.AccountSettings;
import io.spillway.capacity.spi.ProbeException;
import io.spillway.scheduler.model.FailureClass;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * Who the probe is at Google: a key of the settings (of a service account, or of a federated
 * identity), or else the application default credentials: the environment, the file of {@code
 * gcloud}, the metadata server. Tokens are cached and renewed by Google's library.
 */
final class GcpLogin {
  private static final String SCOPE = "https://www.googleapis.com/auth/cloud-platform";
  private static final int CLIENT_ERROR = 4;

  /** The library fetches tokens by blocking calls. */
  private static final ExecutorService THREADS = Executors.newVirtualThreadPerTaskExecutor();

  private final Source source;
  private volatile GoogleCredentials credentials;
  private volatile String token = "";

  private GcpLogin(Source source) {
    this.source = source;
  }

  @FunctionalInterface
  private interface Source {
    GoogleCredentials open() throws IOException;
  }

  /**
   * @throws IllegalArgumentException if the key of the settings cannot be read as one
   */
  static GcpLogin of(AccountSettings account) {
    String json = account.credentials().getOrDefault("key-json", "").strip();
    String file = account.credentials().getOrDefault("key-file", "").strip();
    if (json.isEmpty() && file.isEmpty()) {
      return new GcpLogin(GoogleCredentials::getApplicationDefault);
    }
    try {
      GoogleCredentials key = key(json.isEmpty() ? Files.readString(Path.of(file)) : json);
      return new GcpLogin(() -> key);
    } catch (IOException | RuntimeException e) {
      // Without the cause: parsers quote what they could not read.
      throw new IllegalArgumentException(
          "credentials." + (json.isEmpty() ? "key-file" : "key-json") + " is no key of Google's");
    }
  }

  private static GoogleCredentials key(String json) throws IOException {
    return GoogleCredentials.fromStream(
        new ByteArrayInputStream(json.getBytes(StandardCharsets.UTF_8)));
  }

  /**
   * A token that holds for the round. Completes exceptionally with {@link ProbeException}; the
   * caller's thread is never blocked.
   */
  CompletableFuture<Void> ready() {
    return CompletableFuture.runAsync(this::renew, THREADS);
  }

  private void renew() {
    try {
      if (credentials == null) {
        credentials = source.open().createScoped(SCOPE);
      }
      credentials.refreshIfExpired();
      token = credentials.getAccessToken().getTokenValue();
    } catch (IOException e) {
      // Without message and cause: they may quote what was sent.
      throw new CompletionException(
          credentials == null
              ? failed(FailureClass.AUTH, "no Google credentials found")
              : failed(refused(e) ? FailureClass.AUTH : FailureClass.TRANSIENT, "no token"));
    }
  }

  private static boolean refused(Throwable failure) {
    for (Throwable part = failure; part != null; part = part.getCause()) {
      if (part instanceof HttpResponseException answer) {
        return answer.getStatusCode() / 100 == CLIENT_ERROR;
      }
    }
    return false;
  }

  private static ProbeException failed(FailureClass type, String message) {
    return new ProbeException(type, message, Optional.empty(), null);
  }

  /** Signs with the token of the round. */
  HttpCall.Signer signer() {
    return (call, providersTime) -> HttpCall.Signer.bearer(token).sign(call, providersTime);
  }
}
