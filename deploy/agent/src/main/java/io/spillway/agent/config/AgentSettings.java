package io.spillway.agent.config;

import io.spillway.agent.config.AgentConfig.Server;
import java.io.IOException;
import java.io.Reader;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** From environment and properties file to an {@link AgentConfig}; the environment wins. */
public final class AgentSettings {
  private static final String PREFIX = "SPILLWAY_AGENT_";
  static final String FILE = PREFIX + "CONFIG";
  static final String CLUSTER = PREFIX + "CLUSTER";
  static final String SERVER = PREFIX + "SERVER";
  static final String TLS = PREFIX + "TLS";
  static final String CA_FILE = PREFIX + "CA_FILE";
  static final String TOKEN_FILE = PREFIX + "TOKEN_FILE";
  static final String NAMESPACE = PREFIX + "NAMESPACE";
  static final String IDENTITY = PREFIX + "IDENTITY";
  static final String KUBECONFIG = PREFIX + "KUBECONFIG";
  static final String HEALTH_PORT = PREFIX + "HEALTH_PORT";
  static final String GATE_FILE = PREFIX + "GATE_FILE";
  static final String UNSCHEDULABLE_AFTER = PREFIX + "UNSCHEDULABLE_AFTER";

  private static final List<String> KNOWN =
      List.of(
          FILE,
          CLUSTER,
          SERVER,
          TLS,
          CA_FILE,
          TOKEN_FILE,
          NAMESPACE,
          IDENTITY,
          KUBECONFIG,
          HEALTH_PORT,
          GATE_FILE,
          UNSCHEDULABLE_AFTER);

  private static final Pattern NAME = Pattern.compile("[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?");
  private static final Pattern ADDRESS =
      Pattern.compile("(?:(https?)://)?(\\[[0-9a-fA-F:]+]|[A-Za-z0-9.-]+)(?::(\\d{1,5}))?/?");

  private AgentSettings() {}

  /**
   * @param environment all variables; those of others are ignored
   * @throws WrongSettingsException with everything that is wrong
   */
  public static AgentConfig read(Map<String, String> environment) throws WrongSettingsException {
    Map<String, String> values = new HashMap<>(file(environment));
    environment.forEach(
        (name, value) -> {
          if (name.startsWith(PREFIX) && !value.isBlank()) {
            values.put(name, value);
          }
        });
    Settings settings = new Settings(values);
    AgentConfig config =
        new AgentConfig(
            cluster(settings),
            server(settings),
            token(settings),
            settings.parsed(NAMESPACE, ownNamespace(settings), text -> named(text)),
            identity(settings),
            settings.file(KUBECONFIG),
            settings.number(HEALTH_PORT, 8081, 0, 65_535),
            settings.file(GATE_FILE),
            settings.duration(UNSCHEDULABLE_AFTER, Duration.ofMinutes(10)));
    settings.throwIfWrong();
    return config;
  }

  /**
   * Names that look like settings and are none: misspelt, or of another release. They are told and
   * stop nothing. (Kubernetes itself sets some for a Service of the agent's name.)
   */
  public static List<String> unknown(Map<String, String> environment) {
    return environment.keySet().stream()
        .filter(name -> name.startsWith(PREFIX) && !KNOWN.contains(name))
        .filter(name -> !name.matches(PREFIX + "(PORT|SERVICE)(_.*)?"))
        .sorted()
        .toList();
  }

  private static Map<String, String> file(Map<String, String> environment)
      throws WrongSettingsException {
    String name = environment.getOrDefault(FILE, "").strip();
    if (name.isEmpty()) {
      return Map.of();
    }
    Properties properties = new Properties();
    try (Reader reader = Files.newBufferedReader(Path.of(name), StandardCharsets.UTF_8)) {
      properties.load(reader);
    } catch (IOException | IllegalArgumentException e) {
      throw new WrongSettingsException(
          List.of(FILE + " names a file that cannot be read: " + e.getMessage()));
    }
    Map<String, String> values = new HashMap<>();
    properties.stringPropertyNames().forEach(key -> values.put(key, properties.getProperty(key)));
    values.values().removeIf(String::isBlank);
    return values;
  }

  private static String cluster(Settings settings) {
    String name = settings.required(CLUSTER, "the cluster's name in Spillway's policies");
    return name.isEmpty() ? "" : settings.parsed(CLUSTER, "", text -> named(text));
  }

  private static String named(String text) {
    if (!NAME.matcher(text).matches()) {
      throw new IllegalArgumentException("is a DNS label");
    }
    return text;
  }

  private static Server server(Settings settings) {
    Optional<Path> ca = settings.file(CA_FILE);
    boolean tls = settings.flag(TLS, true);
    String text = settings.required(SERVER, "the control plane's host:port or https URL");
    Matcher address = ADDRESS.matcher(text);
    if (text.isEmpty()) {
      return new Server("", 0, tls, ca);
    }
    if (!address.matches()) {
      settings.wrong(SERVER, "is host:port or an https URL without a path, not '" + text + "'");
      return new Server("", 0, tls, ca);
    }
    Optional<String> scheme = Optional.ofNullable(address.group(1));
    if (scheme.isPresent()
        && settings.text(TLS).isPresent()
        && tls != scheme.get().equals("https")) {
      settings.wrong(TLS, "is " + tls + ", but " + SERVER + " begins with " + scheme.get());
    }
    boolean secure = scheme.map("https"::equals).orElse(tls);
    int port = address.group(3) == null ? 0 : Integer.parseInt(address.group(3));
    if (port == 0 && scheme.isPresent()) {
      port = secure ? 443 : 80;
    }
    if (port < 1 || port > 65_535) {
      settings.wrong(SERVER, "has no port from 1 to 65535: '" + text + "'");
    }
    if (ca.isPresent() && !secure) {
      settings.wrong(CA_FILE, "is set, but the connection is without TLS");
    }
    return new Server(address.group(2), port, secure, ca);
  }

  private static Path token(Settings settings) {
    if (settings.text(TOKEN_FILE).isEmpty()) {
      settings.wrong(TOKEN_FILE, "is not set; it is the file that holds the cluster's token");
      return Path.of("");
    }
    return settings.file(TOKEN_FILE).orElse(Path.of(""));
  }

  /** The pod's own, as every container finds it. */
  private static String ownNamespace(Settings settings) {
    Path mounted = Path.of("/var/run/secrets/kubernetes.io/serviceaccount/namespace");
    try {
      if (settings.text(KUBECONFIG).isEmpty() && Files.isReadable(mounted)) {
        return Files.readString(mounted).strip();
      }
    } catch (IOException e) {
      settings.wrong(NAMESPACE, "is not set, and " + mounted + " cannot be read: " + e);
    }
    return "spillway";
  }

  private static String identity(Settings settings) {
    return settings
        .text(IDENTITY)
        .or(() -> Optional.ofNullable(System.getenv("HOSTNAME")).filter(h -> !h.isBlank()))
        .orElseGet(AgentSettings::host);
  }

  private static String host() {
    try {
      return InetAddress.getLocalHost().getHostName() + "-" + ProcessHandle.current().pid();
    } catch (UnknownHostException e) {
      return "agent-" + ProcessHandle.current().pid();
    }
  }
}
