package io.spillway.server.events;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.spillway.capacity.spi.CapacityProvider;
import io.spillway.capacity.spi.EventNormalizer;
import io.spillway.capacity.spi.Facts;
import io.spillway.capacity.spi.FailureClassifier;
import io.spillway.capacity.spi.FailureClassifier.Failure;
import io.spillway.scheduler.market.CapacityNotice;
import io.spillway.scheduler.market.CapacityNotice.Kind;
import io.spillway.scheduler.model.CapacityType;
import io.spillway.scheduler.model.MarketKey;
import io.spillway.server.providers.Providers;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Spillway's own CloudEvents 1.0, for sources that speak no provider's language: {@code
 * io.spillway.capacity.interruption}, {@code .risk}, {@code .maintenance}, {@code .loss}, {@code
 * .running} and {@code .failure}. {@code deploy/kafka/README.md} shows one of each.
 */
final class SpillwayEvents implements EventNormalizer {
  private static final String PREFIX = "io.spillway.capacity.";
  private static final Map<String, Kind> NOTICES =
      Map.of(
          PREFIX + "interruption", Kind.INTERRUPTION,
          PREFIX + "risk", Kind.RISK,
          PREFIX + "maintenance", Kind.MAINTENANCE,
          PREFIX + "loss", Kind.LOSS,
          PREFIX + "running", Kind.RUNNING);

  private static final ObjectMapper JSON = new ObjectMapper();

  private final Providers providers;

  SpillwayEvents(Providers providers) {
    this.providers = providers;
  }

  @Override
  public Normalized normalize(String json, AccountNames accounts, Instant receivedAt) {
    if (!json.contains(PREFIX)) {
      return new NotMine();
    }
    try {
      JsonNode event = JSON.readTree(json);
      String type = event.path("type").asText();
      if (!event.has("specversion") || !type.startsWith(PREFIX)) {
        return new NotMine();
      }
      return read(type, event, accounts);
    } catch (JsonProcessingException e) {
      return new NotMine();
    } catch (DateTimeException | IllegalArgumentException e) {
      return new Malformed(e.getMessage());
    }
  }

  private Normalized read(String type, JsonNode event, AccountNames accounts) {
    JsonNode data = event.path("data");
    Instant time = Instant.parse(required(event, "time"));
    if (type.equals(PREFIX + "failure")) {
      return failure(data, time, accounts);
    }
    Kind kind = NOTICES.get(type);
    if (kind == null) {
      return new Irrelevant(type);
    }
    List<String> instances = new ArrayList<>();
    data.path("instances").forEach(id -> instances.add(id.asText()));
    Optional<MarketKey> offering =
        data.has("instanceType") ? Optional.of(key(data, accounts)) : Optional.empty();
    if (instances.isEmpty() && offering.isEmpty()) {
      throw new IllegalArgumentException("data names neither instances nor an instanceType");
    }
    return new Notices(
        List.of(
            new CapacityNotice(
                "spillway:" + required(event, "source") + ':' + required(event, "id"),
                required(data, "provider"),
                account(data, accounts),
                required(data, "region"),
                kind,
                instances,
                offering,
                time,
                deadline(kind, data, time))));
  }

  /** Who tells of an interruption and not of its time says what the provider always says. */
  private Optional<Instant> deadline(Kind kind, JsonNode data, Instant time) {
    if (data.has("deadline")) {
      return Optional.of(Instant.parse(data.path("deadline").asText()));
    }
    return kind == Kind.INTERRUPTION
        ? providers
            .provider(required(data, "provider"))
            .map(module -> module.facts().notice(Facts.SPOT_NOTICE))
            .filter(Duration::isPositive)
            .map(time::plus)
        : Optional.empty();
  }

  private Normalized failure(JsonNode data, Instant time, AccountNames accounts) {
    String provider = required(data, "provider");
    FailureClassifier classifier =
        providers
            .provider(provider)
            .map(CapacityProvider::classifier)
            .orElseThrow(
                () ->
                    new IllegalArgumentException("there is no provider module '" + provider + "'"));
    return new Failures(
        List.of(
            classifier.classify(
                new Failure(
                    key(data, accounts),
                    data.path("code").asText(),
                    data.path("message").asText(),
                    data.path("status").asInt(0),
                    time))));
  }

  private static MarketKey key(JsonNode data, AccountNames accounts) {
    String region = required(data, "region");
    return new MarketKey(
        required(data, "provider"),
        account(data, accounts),
        region,
        data.path("zone").asText(region),
        required(data, "instanceType"),
        CapacityType.parse(required(data, "capacityType")),
        data.has("reservation")
            ? Optional.of(data.path("reservation").asText())
            : Optional.empty());
  }

  private static String account(JsonNode data, AccountNames accounts) {
    String account = required(data, "account");
    return accounts.nameOf(required(data, "provider"), account).orElse(account);
  }

  private static String required(JsonNode node, String field) {
    String value = node.path(field).asText();
    if (value.isEmpty()) {
      throw new IllegalArgumentException("field '" + field + "' is missing");
    }
    return value;
  }
}
