package io.spillway.verify.real;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * A tenancy of OCI on loopback, which answers from one file and refuses what is not signed as OCI
 * demands. Its only user has a key of its own for each run. Oracle's price list, which asks for no
 * login, is there too. Remembers what was asked.
 */
final class OciStub implements AutoCloseable {
  private static final String TENANCY = "ocid1.tenancy.oc1..example";
  private static final String USER = "ocid1.user.oc1..example";
  private static final String FINGERPRINT = "11:22:33:44:55:66:77:88:99:00:aa:bb:cc:dd:ee:ff";
  private static final String PUBLIC = "/a/ocom/";

  private final List<AnswerFile.Answer> answers;
  private final List<String> asked = new CopyOnWriteArrayList<>();
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final KeyPair keys;
  private final OciSignature signature;
  private final HttpServer server;

  private OciStub(List<AnswerFile.Answer> answers, KeyPair keys) throws IOException {
    this.answers = answers;
    this.keys = keys;
    this.signature = new OciSignature(TENANCY + "/" + USER + "/" + FINGERPRINT, keys.getPublic());
    this.server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(threads);
    server.createContext("/", this::handle);
    server.start();
  }

  static OciStub start() throws IOException, NoSuchAlgorithmException {
    KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
    generator.initialize(2_048);
    return new OciStub(AnswerFile.read("/oci/answers.txt"), generator.generateKeyPair());
  }

  /** What an account's configuration needs to log in here, below its name. */
  Map<String, String> settings() {
    Map<String, String> settings = new LinkedHashMap<>();
    settings.put("endpoint", "http://127.0.0.1:" + server.getAddress().getPort());
    settings.put("credentials.tenancy", TENANCY);
    settings.put("credentials.user", USER);
    settings.put("credentials.fingerprint", FINGERPRINT);
    settings.put("credentials.private-key", pem());
    return settings;
  }

  /** What was asked so far: method, path, status. */
  List<String> asked() {
    return List.copyOf(asked);
  }

  private String pem() {
    byte[] key = keys.getPrivate().getEncoded();
    String text =
        Base64.getMimeEncoder(64, "\n".getBytes(StandardCharsets.US_ASCII)).encodeToString(key);
    return "-----BEGIN PRIVATE KEY-----\n" + text + "\n-----END PRIVATE KEY-----\n";
  }

  private void handle(HttpExchange exchange) throws IOException {
    try (exchange) {
      byte[] body = exchange.getRequestBody().readAllBytes();
      URI uri = exchange.getRequestURI();
      Optional<String> fault =
          uri.getPath().startsWith(PUBLIC) ? Optional.empty() : signature.fault(exchange, body);
      Optional<String> answer =
          answer(exchange.getRequestMethod(), uri, new String(body, StandardCharsets.UTF_8));
      int status = fault.isPresent() ? 401 : answer.isPresent() ? 200 : 404;
      asked.add(exchange.getRequestMethod() + " " + uri.getPath() + " " + status);
      byte[] words =
          (status == 200
                  ? answer.get()
                  : "{\"code\":\""
                      + (status == 401 ? "NotAuthenticated" : "NotAuthorizedOrNotFound")
                      + "\",\"message\":\""
                      + fault.orElse("Authorization failed or requested resource not found.")
                      + "\"}")
              .getBytes(StandardCharsets.UTF_8);
      exchange.getResponseHeaders().add("Content-Type", "application/json");
      exchange.sendResponseHeaders(status, words.length);
      exchange.getResponseBody().write(words);
    }
  }

  private Optional<String> answer(String method, URI uri, String body) {
    String said = uri.getQuery() + body;
    return answers.stream()
        .filter(answer -> answer.heading().get(0).equals(method))
        .filter(answer -> answer.heading().get(1).equals(uri.getPath()))
        .filter(
            answer ->
                answer.heading().subList(2, answer.heading().size()).stream()
                    .allMatch(said::contains))
        .map(AnswerFile.Answer::body)
        .findFirst();
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }
}
