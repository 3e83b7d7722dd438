package io.spillway.capacity.oci;

import com.oracle.bmc.ConfigFileReader;
import com.oracle.bmc.auth.BasicAuthenticationDetailsProvider;
import com.oracle.bmc.auth.ConfigFileAuthenticationDetailsProvider;
import com.oracle.bmc.auth.InstancePrincipalsAuthenticationDetailsProvider;
import com.oracle.bmc.auth.ResourcePrincipalAuthenticationDetailsProvider;
import com.oracle.bmc.auth.SimpleAuthenticationDetailsProvider;
import com.oracle.bmc.http.signing.DefaultRequestSigner;
import com.oracle.bmc.http.signing.RequestSigner;
import com.oracle.bmc.http.signing.RequestSignerException;
import io.spillway.capacity.http.Credentials;
import io.spillway.capacity.http.HttpCall;
import io.spillway.capacity.spi.AccountSettings;
import io.spillway.capacity.spi.ProbeException;
import io.spillway.scheduler.model.FailureClass;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * Who the probe is at OCI, by the SDK's own ways: a user's key in the settings, a profile of the
 * configuration file, the instance it runs on, or the resource principal of its environment. Signs
 * requests as the SDK does, at the time of Oracle's clock.
 */
final class OciLogin {
  private static final List<String> USER_KEYS = List.of("user", "fingerprint");

  /** These the HTTP client writes itself, with the values that were signed. */
  private static final Set<String> WRITTEN_BY_CLIENT = Set.of("host", "content-length");

  private static final DateTimeFormatter DATE =
      DateTimeFormatter.ofPattern("EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.ROOT)
          .withZone(ZoneOffset.UTC);

  /** Tokens of principals are fetched by blocking calls of the SDK. */
  private static final ExecutorService THREADS = Executors.newVirtualThreadPerTaskExecutor();

  private final Source source;
  private volatile RequestSigner signer;

  /** The one attempt to find the identity; a slow one is waited for and not repeated. */
  private CompletableFuture<Void> opening = CompletableFuture.completedFuture(null);

  private OciLogin(Source source) {
    this.source = source;
  }

  /** Where the identity comes from; asked once, may block. */
  @FunctionalInterface
  private interface Source {
    BasicAuthenticationDetailsProvider open() throws IOException;
  }

  /**
   * @throws IllegalArgumentException if the settings are not whole, naming what is missing
   */
  static OciLogin of(AccountSettings account) {
    String principal = Credentials.orElse(account, "principal", "user");
    return new OciLogin(
        switch (principal) {
          case "instance" -> instance(account.endpoint());
          case "resource" -> () -> ResourcePrincipalAuthenticationDetailsProvider.builder().build();
          case "user" -> user(account);
          default ->
              throw new IllegalArgumentException(
                  "credentials.principal is user, instance or resource, not " + principal);
        });
  }

  /** Where the settings name an endpoint, the instance's own services are asked there too. */
  private static Source instance(Optional<URI> endpoint) {
    return () -> {
      var builder = InstancePrincipalsAuthenticationDetailsProvider.builder();
      endpoint.ifPresent(
          instead -> {
            builder.metadataBaseUrl(instead.resolve("/opc/v2").toString());
            builder.federationEndpoint(instead.toString());
          });
      return builder.build();
    };
  }

  private static Source user(AccountSettings account) {
    boolean bySettings =
        USER_KEYS.stream().anyMatch(account.credentials()::containsKey)
            || account.credentials().containsKey("private-key")
            || account.credentials().containsKey("private-key-file");
    return bySettings ? bySettings(account) : byFile(account);
  }

  private static Source bySettings(AccountSettings account) {
    String user = Credentials.required(account, "user");
    String fingerprint = Credentials.required(account, "fingerprint");
    String tenancy = Credentials.required(account, "tenancy");
    String key = privateKey(account);
    Optional<String> passphrase = Optional.ofNullable(account.credentials().get("passphrase"));
    return () ->
        SimpleAuthenticationDetailsProvider.builder()
            .tenantId(tenancy)
            .userId(user)
            .fingerprint(fingerprint)
            .privateKeySupplier(
                () -> new ByteArrayInputStream(key.getBytes(StandardCharsets.UTF_8)))
            .passphraseCharacters(passphrase.map(String::toCharArray).orElse(null))
            .build();
  }

  private static String privateKey(AccountSettings account) {
    String file = account.credentials().getOrDefault("private-key-file", "").strip();
    String key = account.credentials().getOrDefault("private-key", "").strip();
    if (key.isEmpty() && file.isEmpty()) {
      throw new IllegalArgumentException(
          "credentials.private-key is missing, and credentials.private-key-file too");
    }
    if (!key.isEmpty()) {
      return key;
    }
    try {
      return Files.readString(Path.of(file));
    } catch (IOException | InvalidPathException | UncheckedIOException e) {
      throw new IllegalArgumentException("credentials.private-key-file cannot be read", e);
    }
  }

  private static Source byFile(AccountSettings account) {
    String profile = Credentials.orElse(account, "profile", "DEFAULT");
    String file = account.credentials().getOrDefault("config-file", "").strip();
    return () ->
        new ConfigFileAuthenticationDetailsProvider(
            file.isEmpty()
                ? ConfigFileReader.parseDefault(profile)
                : ConfigFileReader.parse(file, profile));
  }

  /**
   * A signer that works. Completes exceptionally with {@link ProbeException}; the caller's thread
   * is never blocked.
   */
  synchronized CompletableFuture<Void> ready() {
    if (signer == null && opening.isDone()) {
      opening = CompletableFuture.runAsync(this::open, THREADS);
    }
    return opening.copy();
  }

  private void open() {
    try {
      BasicAuthenticationDetailsProvider details = source.open();
      RequestSigner opened = DefaultRequestSigner.createRequestSigner(details);
      // Fetches a principal's token, and reads the key, before anything depends on it.
      opened.signRequest(URI.create("https://localhost/"), "GET", Map.of(), null);
      signer = opened;
    } catch (IOException | RuntimeException e) {
      // Without the cause: the SDK's messages may hold parts of a key or a path to it.
      throw new CompletionException(
          new ProbeException(
              FailureClass.AUTH,
              "no usable OCI credentials: " + e.getClass().getSimpleName(),
              Optional.empty(),
              null));
    }
  }

  /** Signs calls to that endpoint. */
  HttpCall.Signer signer(URI endpoint) {
    return (call, providersTime) -> sign(call, endpoint, providersTime);
  }

  private HttpCall sign(HttpCall call, URI endpoint, Instant providersTime) {
    String query = call.canonicalQuery();
    URI uri = endpoint.resolve(call.path() + (query.isEmpty() ? "" : '?' + query));
    Map<String, List<String>> headers = new HashMap<>();
    call.headers()
        .forEach((name, value) -> headers.put(name.toLowerCase(Locale.ROOT), List.of(value)));
    headers.put("date", List.of(DATE.format(providersTime)));
    HttpCall signed = call;
    try {
      for (var header :
          signer.signRequest(uri, call.method(), headers, call.body().orElse(null)).entrySet()) {
        if (!WRITTEN_BY_CLIENT.contains(header.getKey().toLowerCase(Locale.ROOT))) {
          signed = signed.header(header.getKey(), header.getValue());
        }
      }
    } catch (RequestSignerException e) {
      throw new IllegalArgumentException("the request cannot be signed with these credentials", e);
    }
    return signed;
  }
}
