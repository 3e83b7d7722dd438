package io.spillway.capacity.simulated;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.spillway.capacity.spi.AccountSettings;
import io.spillway.capacity.spi.CapacityProbe;
import io.spillway.capacity.spi.ProbeException;
import io.spillway.scheduler.market.Observation;
import io.spillway.scheduler.market.Observation.Availability;
import io.spillway.scheduler.model.CapacityType;
import io.spillway.scheduler.model.FailureClass;
import io.spillway.scheduler.model.GpuModel;
import io.spillway.scheduler.model.MarketKey;
import io.spillway.scheduler.model.NodeShape;
import io.spillway.scheduler.model.Trust;
import io.spillway.scheduler.model.UsdPerGpuHour;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Asks the clouds' process what an account could have; one call over loopback HTTP. */
final class SimulatedProbe implements CapacityProbe {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Duration TIMEOUT = Duration.ofSeconds(10);
  private static final int OK = 200;
  private static final int FORBIDDEN = 403;
  private static final int TOO_MANY_REQUESTS = 429;

  private final AccountSettings account;
  private final String provider;
  private final URI uri;
  private final HttpClient http;

  SimulatedProbe(AccountSettings account) {
    this.account = account;
    this.provider = part(account);
    URI endpoint =
        account
            .endpoint()
            .orElseThrow(
                () ->
                    new IllegalArgumentException(
                        "endpoint is missing: the address of the clouds' process"));
    this.uri = endpoint.resolve("/accounts/" + account.name() + "/offerings?provider=" + provider);
    this.http = HttpClient.newBuilder().connectTimeout(TIMEOUT).build();
  }

  /**
   * The provider that the account plays.
   *
   * @throws IllegalArgumentException if the settings do not say
   */
  static String part(AccountSettings account) {
    return Optional.ofNullable(account.credentials().get("provider"))
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "credentials.provider is missing: the provider whose part account "
                        + account.name()
                        + " plays"));
  }

  @Override
  public CompletionStage<Result> observe(Set<String> interest, Instant now) {
    HttpRequest request = HttpRequest.newBuilder(uri).timeout(TIMEOUT).build();
    return http.sendAsync(request, HttpResponse.BodyHandlers.ofString())
        .handle((answer, failure) -> failure == null ? read(answer, now) : failed(failure))
        .thenCompose(result -> result);
  }

  private CompletionStage<Result> read(HttpResponse<String> answer, Instant now) {
    if (answer.statusCode() != OK) {
      return CompletableFuture.failedFuture(refused(answer));
    }
    try {
      List<Observation> observations = new ArrayList<>();
      for (JsonNode offering : JSON.readTree(answer.body())) {
        observations.add(observation(offering, now));
      }
      return CompletableFuture.completedFuture(new Result(observations, List.of()));
    } catch (IOException e) {
      return CompletableFuture.failedFuture(
          new ProbeException(FailureClass.TRANSIENT, "the answer is no JSON", Optional.empty(), e));
    }
  }

  private ProbeException refused(HttpResponse<String> answer) {
    FailureClass failure =
        switch (answer.statusCode()) {
          case TOO_MANY_REQUESTS -> FailureClass.THROTTLED;
          case FORBIDDEN -> FailureClass.AUTH;
          default -> answer.statusCode() >= 500 ? FailureClass.TRANSIENT : FailureClass.INVALID;
        };
    Optional<Duration> retryAfter =
        answer
            .headers()
            .firstValue("Retry-After")
            .map(seconds -> Duration.ofSeconds(Long.parseLong(seconds)));
    return new ProbeException(
        failure, "status " + answer.statusCode() + ": " + answer.body(), retryAfter, null);
  }

  private static CompletionStage<Result> failed(Throwable failure) {
    return CompletableFuture.failedFuture(
        new ProbeException(
            FailureClass.TRANSIENT,
            "no answer from the clouds' process",
            Optional.empty(),
            failure));
  }

  private Observation observation(JsonNode offering, Instant now) {
    MarketKey key =
        new MarketKey(
            provider,
            account.name(),
            offering.path("region").asText(),
            offering.path("zone").asText(),
            offering.path("instanceType").asText(),
            CapacityType.parse(offering.path("capacityType").asText()),
            Optional.empty());
    NodeShape shape =
        new NodeShape(
            new GpuModel(offering.path("gpu").asText()),
            offering.path("gpus").asInt(),
            offering.path("cpus").asInt(),
            offering.path("memoryGiB").asInt());
    return new Observation(
        key,
        shape,
        price(offering, "priceMicros"),
        price(offering, "onDemandMicros"),
        offering.path("free").asInt() > 0 ? Availability.AVAILABLE : Availability.UNAVAILABLE,
        Trust.OFFERED,
        now,
        now,
        "simulated offerings");
  }

  private Optional<UsdPerGpuHour> price(JsonNode offering, String field) {
    if (!offering.hasNonNull(field)) {
      return Optional.empty();
    }
    long micros =
        BigDecimal.valueOf(offering.path(field).asLong())
            .multiply(account.discount())
            .setScale(0, RoundingMode.HALF_UP)
            .longValueExact();
    return Optional.of(new UsdPerGpuHour(micros));
  }

  @Override
  public void close() {
    http.close();
  }
}
