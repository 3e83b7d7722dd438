package io.spillway.verify.real;

import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.awaitility.Awaitility;

/**
 * A third party's EC2: moto's server on loopback. It checks every signature and permission but of
 * the first calls, with which a user and its key are made.
 */
final class Moto implements AutoCloseable {
  /** CreateUser, PutUserPolicy, CreateAccessKey. */
  private static final int CALLS_TO_SET_UP = 3;

  private static final String POLICY =
      "{\"Version\":\"2012-10-17\",\"Statement\":[{\"Effect\":\"Allow\",\"Action\":\"ec2:Describe*\","
          + "\"Resource\":\"*\"}]}";

  private final HttpClient client = HttpClient.newHttpClient();
  private final Process process;
  private final int port;
  private final String accessKey;
  private final String secretKey;

  private Moto(Process process, int port) throws IOException, InterruptedException {
    this.process = process;
    this.port = port;
    Awaitility.await("moto")
        .atMost(Duration.ofSeconds(60))
        .pollInterval(Duration.ofMillis(300))
        .until(this::answers);
    iam(Map.of("Action", "CreateUser"));
    iam(Map.of("Action", "PutUserPolicy", "PolicyName", "read", "PolicyDocument", POLICY));
    String key = iam(Map.of("Action", "CreateAccessKey"));
    this.accessKey = element(key, "AccessKeyId");
    this.secretKey = element(key, "SecretAccessKey");
  }

  /** The program, if {@code make verify-programs} fetched it. */
  static Optional<Path> program() {
    Path program = Programs.cache().resolve("moto/bin/moto_server");
    return Files.isExecutable(program) ? Optional.of(program) : Optional.empty();
  }

  static Moto start(Path program) throws IOException, InterruptedException {
    int port = Standalone.freePort();
    ProcessBuilder builder =
        new ProcessBuilder(program.toString(), "-H", "127.0.0.1", "-p", Integer.toString(port));
    builder.environment().put("INITIAL_NO_AUTH_ACTION_COUNT", Integer.toString(CALLS_TO_SET_UP));
    Path log = Files.createTempFile("spillway-moto", ".log");
    builder.redirectErrorStream(true).redirectOutput(log.toFile());
    Process process = builder.start();
    try {
      return new Moto(process, port);
    } catch (IOException | RuntimeException e) {
      Programs.end(process);
      throw e;
    }
  }

  int port() {
    return port;
  }

  /** The id of the user's key, which moto knows. */
  String accessKey() {
    return accessKey;
  }

  String secretKey() {
    return secretKey;
  }

  private boolean answers() throws InterruptedException {
    try {
      return client
              .send(
                  HttpRequest.newBuilder(uri("/moto-api/data.json"))
                      .timeout(Duration.ofSeconds(2))
                      .build(),
                  HttpResponse.BodyHandlers.discarding())
              .statusCode()
          < 500;
    } catch (IOException notYet) {
      return false;
    }
  }

  /** A call of IAM before signatures are checked; the header only says which service is meant. */
  private String iam(Map<String, String> parameters) throws IOException, InterruptedException {
    Map<String, String> all = new TreeMap<>(parameters);
    all.put("Version", "2010-05-08");
    all.put("UserName", "spillway");
    String body =
        all.entrySet().stream()
            .map(e -> e.getKey() + "=" + URLEncoder.encode(e.getValue(), StandardCharsets.UTF_8))
            .collect(Collectors.joining("&"));
    HttpResponse<String> answer =
        client.send(
            HttpRequest.newBuilder(uri("/"))
                .timeout(Duration.ofSeconds(60))
                .header("Content-Type", "application/x-www-form-urlencoded")
                .header(
                    "Authorization",
                    "AWS4-HMAC-SHA256 Credential=none/20260101/us-east-1/iam/aws4_request,"
                        + " SignedHeaders=host, Signature=none")
                .POST(HttpRequest.BodyPublishers.ofString(body))
                .build(),
            HttpResponse.BodyHandlers.ofString());
    if (answer.statusCode() != 200) {
      throw new IOException(parameters.get("Action") + ": " + answer.body());
    }
    return answer.body();
  }

  private URI uri(String path) {
    return URI.create("http://127.0.0.1:" + port + path);
  }

  private static String element(String xml, String name) throws IOException {
    Matcher found = Pattern.compile("<" + name + ">([^<]+)</").matcher(xml);
    if (!found.find()) {
      throw new IOException("no " + name + " in " + xml);
    }
    return found.group(1);
  }

  @Override
  public void close() {
    client.close();
    Programs.end(process);
  }
}
