package io.spillway.capacity.simulated.control;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.spillway.capacity.simulated.Clouds;
import io.spillway.capacity.simulated.agent.ClusterSpec;
import io.spillway.capacity.simulated.agent.SimulatedCluster;
import io.spillway.capacity.simulated.cloud.Behaviour;
import io.spillway.capacity.simulated.cloud.Injections;
import io.spillway.capacity.simulated.market.Line;
import io.spillway.capacity.simulated.market.Listing;
import io.spillway.scheduler.model.CapacityType;
import io.spillway.scheduler.model.UsdPerGpuHour;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What each call does. Only from the timeline. */
final class Routes {
  /** The status that stands for no answer at all. */
  static final int NO_ANSWER = 0;

  private static final ObjectMapper JSON = new ObjectMapper();

  private final Clouds clouds;
  private final Forces forces;

  Routes(Clouds clouds) {
    this.clouds = clouds;
    this.forces = new Forces(clouds);
  }

  /** One call. */
  record Request(String method, String path, Map<String, String> query, String body) {
    Request {
      query = Map.copyOf(query);
    }
  }

  /** Its answer. */
  record Answer(int status, Object body, Map<String, String> headers) {
    Answer {
      headers = Map.copyOf(headers);
    }

    static Answer of(Object body) {
      return new Answer(200, body, Map.of());
    }

    static Answer refused(int status, String detail) {
      return new Answer(status, Map.of("detail", detail), Map.of());
    }
  }

  Answer answer(Request request) {
    if (request.method().equals("GET")) {
      return read(request);
    }
    if (!request.method().equals("POST")) {
      return Answer.refused(405, "GET or POST");
    }
    return switch (request.path()) {
      case "/clusters" -> join(request.body());
      case "/gateways" -> {
        List<String> addresses = new ArrayList<>();
        parse(request.body()).path("addresses").forEach(a -> addresses.add(a.asText()));
        clouds.gateways().move(addresses);
        yield Answer.of(Map.of("addresses", addresses));
      }
      case "/behaviour" -> {
        Behaviour base =
            request.query().containsKey("profile")
                ? Behaviour.profile(request.query().get("profile"))
                : clouds.cloud().behaviour();
        clouds.cloud().behave(request.body().isBlank() ? base : base.with(parse(request.body())));
        yield Answer.of(clouds.cloud().behaviour());
      }
      default ->
          forces
              .apply(request.path(), new Parameters(request.query()))
              .map(Answer::of)
              .orElseGet(() -> Answer.refused(404, "no such call: " + request.path()));
    };
  }

  private Answer read(Request request) {
    String path = request.path();
    if (path.startsWith("/accounts/") && path.endsWith("/offerings")) {
      String account = path.substring("/accounts/".length(), path.length() - "/offerings".length());
      return offerings(account, request.query().getOrDefault("provider", ""));
    }
    return switch (path) {
      case "/health" -> Answer.of(Map.of("status", "up"));
      case "/market" -> Answer.of(clouds.market().lines().stream().map(this::offering).toList());
      case "/clusters" ->
          Answer.of(clouds.clusters().stream().map(SimulatedCluster::status).toList());
      case "/instances" ->
          Answer.of(
              clouds.cloud().instances().stream()
                  .map(
                      i ->
                          Map.of(
                              "id",
                              i.id(),
                              "line",
                              i.line().text(),
                              "cluster",
                              i.cluster(),
                              "announced",
                              clouds.cloud().isDoomed(i.id())))
                  .toList());
      case "/behaviour" -> Answer.of(clouds.cloud().behaviour());
      default -> Answer.refused(404, "no such call: " + path);
    };
  }

  private Answer offerings(String account, String provider) {
    Optional<Injections.OutageKind> outage = clouds.cloud().injections().outageOf(account);
    if (outage.isPresent()) {
      return switch (outage.get()) {
        case UNAVAILABLE -> Answer.refused(503, "service unavailable");
        case DENIED -> Answer.refused(403, "not authorized");
        case SILENT -> new Answer(NO_ANSWER, "", Map.of());
        case THROTTLED ->
            new Answer(429, Map.of("detail", "too many requests"), Map.of("Retry-After", "5"));
      };
    }
    return Answer.of(clouds.market().lines(provider).stream().map(this::offering).toList());
  }

  private Map<String, Object> offering(Line line) {
    Listing listing = clouds.market().listing(line).orElseThrow();
    Map<String, Object> offering = new LinkedHashMap<>();
    offering.put("provider", line.provider());
    offering.put("region", line.region());
    offering.put("zone", line.zone());
    offering.put("instanceType", line.instanceType());
    offering.put("capacityType", line.capacityType().text());
    offering.put("gpu", listing.shape().gpu().name());
    offering.put("gpus", listing.shape().gpus());
    offering.put("cpus", listing.shape().cpus());
    offering.put("memoryGiB", listing.shape().memoryGiB());
    offering.put("capacity", clouds.market().capacity(line));
    offering.put("free", clouds.market().free(line));
    clouds.market().price(line).ifPresent(p -> offering.put("priceMicros", p.micros()));
    listing
        .price(CapacityType.ON_DEMAND)
        .map(UsdPerGpuHour::micros)
        .ifPresent(micros -> offering.put("onDemandMicros", micros));
    return offering;
  }

  private Answer join(String body) {
    JsonNode json = parse(body);
    ClusterSpec spec = JSON.convertValue(json.path("spec"), ClusterSpec.class);
    clouds.join(spec, json.path("token").asText());
    return Answer.of(Map.of("cluster", spec.name()));
  }

  private static JsonNode parse(String body) {
    try {
      return JSON.readTree(body);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("the body is no JSON: " + e.getOriginalMessage(), e);
    }
  }
}
