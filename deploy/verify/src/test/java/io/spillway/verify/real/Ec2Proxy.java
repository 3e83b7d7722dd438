package io.spillway.verify.real;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Stands in front of moto on loopback: answers what moto does not know from one file, and hands
 * everything else on as it came, since headers are signed. Remembers what was asked.
 */
final class Ec2Proxy implements AutoCloseable {
  private static final Pattern ACTION = Pattern.compile("(?:^|&)Action=(\\w+)");
  private static final Pattern REGION = Pattern.compile("Credential=[^/]+/\\d+/([a-z0-9-]+)/");

  private final List<Canned> canned;
  private final List<String> asked = new CopyOnWriteArrayList<>();
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final HttpServer server;
  private final int moto;

  /** An answer of the file. */
  private record Canned(String operation, String region, List<String> words, String body) {
    boolean fits(String asked, String where, String request) {
      return operation.equals(asked)
          && (region.equals("*") || region.equals(where))
          && words.stream().allMatch(request::contains);
    }
  }

  private Ec2Proxy(List<Canned> canned, int moto) throws IOException {
    this.canned = canned;
    this.moto = moto;
    this.server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(threads);
    server.createContext("/", this::handle);
    server.start();
  }

  /**
   * @param moto where moto listens
   */
  static Ec2Proxy before(int moto) throws IOException {
    return new Ec2Proxy(
        AnswerFile.read("/ec2/answers.txt").stream()
            .map(
                answer ->
                    new Canned(
                        answer.heading().get(0),
                        answer.heading().get(1),
                        answer.heading().subList(2, answer.heading().size()),
                        answer.body()))
            .toList(),
        moto);
  }

  URI uri() {
    return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
  }

  /** What was asked so far: operation, region, and who answered with which status. */
  List<String> asked() {
    return List.copyOf(asked);
  }

  private void handle(HttpExchange exchange) throws IOException {
    try (exchange) {
      byte[] body = exchange.getRequestBody().readAllBytes();
      String request = new String(body, StandardCharsets.UTF_8);
      String operation = operation(exchange, request);
      String region =
          first(
              REGION,
              Optional.ofNullable(exchange.getRequestHeaders().getFirst("Authorization"))
                  .orElse(""));
      Optional<Canned> answer =
          canned.stream().filter(one -> one.fits(operation, region, request)).findFirst();
      if (answer.isPresent()) {
        asked.add(operation + " " + region + " file 200");
        exchange.getResponseHeaders().add("Content-Type", "text/xml");
        send(exchange, 200, answer.get().body().getBytes(StandardCharsets.UTF_8));
      } else {
        int status = handOn(exchange, body);
        asked.add(operation + " " + region + " moto " + status);
      }
    }
  }

  private static String operation(HttpExchange exchange, String request) {
    String target = exchange.getRequestHeaders().getFirst("X-Amz-Target");
    return target == null ? first(ACTION, request) : target.substring(target.indexOf('.') + 1);
  }

  /** With the same headers, the signed host among them, which the JDK's client would replace. */
  private int handOn(HttpExchange exchange, byte[] body) throws IOException {
    StringBuilder head = new StringBuilder();
    head.append(exchange.getRequestMethod())
        .append(' ')
        .append(exchange.getRequestURI())
        .append(" HTTP/1.1\r\n");
    exchange
        .getRequestHeaders()
        .forEach(
            (name, values) -> {
              if (!name.equalsIgnoreCase("Connection")
                  && !name.equalsIgnoreCase("Transfer-Encoding")
                  && !name.equalsIgnoreCase("Content-Length")) {
                values.forEach(
                    value -> head.append(name).append(": ").append(value).append("\r\n"));
              }
            });
    head.append("Content-Length: ").append(body.length).append("\r\nConnection: close\r\n\r\n");
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), moto)) {
      ByteArrayOutputStream request = new ByteArrayOutputStream();
      request.writeBytes(head.toString().getBytes(StandardCharsets.ISO_8859_1));
      request.writeBytes(body);
      socket.getOutputStream().write(request.toByteArray());
      return sendOn(exchange, socket.getInputStream().readAllBytes());
    }
  }

  private static int sendOn(HttpExchange exchange, byte[] answer) throws IOException {
    String text = new String(answer, StandardCharsets.ISO_8859_1);
    int end = text.indexOf("\r\n\r\n");
    if (end < 0) {
      throw new IOException("moto answered no HTTP");
    }
    String[] lines = text.substring(0, end).split("\r\n");
    for (String line : Arrays.asList(lines).subList(1, lines.length)) {
      int colon = line.indexOf(':');
      String name = line.substring(0, colon).strip();
      if (List.of("content-type", "date", "retry-after").contains(name.toLowerCase(Locale.ROOT))) {
        exchange.getResponseHeaders().set(name, line.substring(colon + 1).strip());
      }
    }
    int status = Integer.parseInt(lines[0].split(" ")[1]);
    send(exchange, status, Arrays.copyOfRange(answer, end + 4, answer.length));
    return status;
  }

  private static void send(HttpExchange exchange, int status, byte[] body) throws IOException {
    exchange.sendResponseHeaders(status, body.length == 0 ? -1 : body.length);
    exchange.getResponseBody().write(body);
  }

  private static String first(Pattern pattern, String text) {
    Matcher matcher = pattern.matcher(text);
    return matcher.find() ? matcher.group(1) : "";
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }
}
