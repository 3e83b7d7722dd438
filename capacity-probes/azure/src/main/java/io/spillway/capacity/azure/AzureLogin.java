package io.spillway.capacity.azure;

import com.azure.core.credential.TokenCredential;
import com.azure.core.credential.TokenRequestContext;
import com.azure.core.exception.ClientAuthenticationException;
import com.azure.core.http.HttpClient;
import com.azure.core.http.HttpHeaderName;
import com.azure.core.http.jdk.httpclient.JdkHttpClientBuilder;
import com.azure.identity.ClientSecretCredentialBuilder;
import com.azure.identity.CredentialUnavailableException;
import com.azure.identity.DefaultAzureCredentialBuilder;
import com.microsoft.aad.msal4j.MsalServiceException;
import io.spillway.capacity.http.Credentials;
import io.spillway.capacity.http.HttpCall;
import io.spillway.capacity.spi.AccountSettings;
import io.spillway.capacity.spi.ProbeException;
import io.spillway.scheduler.model.FailureClass;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * Who the probe is at Azure: a service principal of the settings, or else Azure's own chain, which
 * tries the environment, a workload identity, a managed identity and the tools of a developer.
 * Tokens are cached and renewed by Azure's library.
 */
final class AzureLogin {
  private static final String SCOPE = "https://management.azure.com/.default";
  private static final Duration TIME = Duration.ofSeconds(10);

  /** The library blocks where a chain's member asks a metadata service. */
  private static final ExecutorService THREADS = Executors.newVirtualThreadPerTaskExecutor();

  private final TokenCredential credential;
  private volatile String token = "";

  private AzureLogin(TokenCredential credential) {
    this.credential = credential;
  }

  /**
   * @throws IllegalArgumentException if a service principal is not whole, naming what is missing
   */
  static AzureLogin of(AccountSettings account) {
    HttpClient http = http(account.endpoint());
    boolean principal =
        List.of("tenant-id", "client-secret").stream().anyMatch(account.credentials()::containsKey);
    if (!principal) {
      DefaultAzureCredentialBuilder chain = new DefaultAzureCredentialBuilder().httpClient(http);
      String clientId = Credentials.orElse(account, "client-id", "");
      return new AzureLogin(
          clientId.isEmpty()
              ? chain.build()
              : chain.managedIdentityClientId(clientId).workloadIdentityClientId(clientId).build());
    }
    ClientSecretCredentialBuilder secret =
        new ClientSecretCredentialBuilder()
            .tenantId(Credentials.required(account, "tenant-id"))
            .clientId(Credentials.required(account, "client-id"))
            .clientSecret(Credentials.required(account, "client-secret"))
            .httpClient(http);
    if (account.endpoint().isPresent()) {
      secret.disableInstanceDiscovery();
    }
    return new AzureLogin(secret.build());
  }

  /** The JDK's client; where the settings name an endpoint, tokens come from there too. */
  private static HttpClient http(Optional<URI> endpoint) {
    HttpClient http = new JdkHttpClientBuilder().connectionTimeout(Duration.ofSeconds(5)).build();
    return request -> {
      // The JDK's client writes it itself, and warns of it at every token otherwise.
      request.getHeaders().remove(HttpHeaderName.CONTENT_LENGTH);
      endpoint.ifPresent(
          instead ->
              request.setUrl(instead.resolve(URI.create(request.getUrl().getFile())).toString()));
      return http.send(request);
    };
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
      token =
          credential.getToken(new TokenRequestContext().addScopes(SCOPE)).block(TIME).getToken();
    } catch (RuntimeException e) {
      // Without message and cause: they may quote what was sent.
      throw new CompletionException(refused(e));
    }
  }

  private static ProbeException refused(RuntimeException failure) {
    for (Throwable part = failure; part != null; part = part.getCause()) {
      switch (part) {
        case CredentialUnavailableException none -> {
          return failed(FailureClass.AUTH, "no Azure credentials found");
        }
        case ClientAuthenticationException refused -> {
          return failed(FailureClass.AUTH, "Azure does not accept the credentials");
        }
        case MsalServiceException refused
            when refused.statusCode() != null && refused.statusCode() / 100 == 4 -> {
          return failed(FailureClass.AUTH, "Azure refuses a token: " + refused.statusCode());
        }
        default -> {
          // Its cause may say more.
        }
      }
    }
    return failed(
        FailureClass.TRANSIENT, "Azure gave no token: " + failure.getClass().getSimpleName());
  }

  private static ProbeException failed(FailureClass type, String message) {
    return new ProbeException(type, message, Optional.empty(), null);
  }

  /** Signs with the token of the round. */
  HttpCall.Signer signer() {
    return (call, providersTime) -> HttpCall.Signer.bearer(token).sign(call, providersTime);
  }
}
