package io.spillway.server.kafka;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.spillway.scheduler.input.MarketInput.ObservationChanged;
import io.spillway.scheduler.market.Observation;
import io.spillway.scheduler.model.CapacityType;
import io.spillway.scheduler.model.GpuModel;
import io.spillway.scheduler.model.MarketKey;
import io.spillway.scheduler.model.NodeShape;
import io.spillway.scheduler.model.Trust;
import io.spillway.scheduler.model.UsdPerGpuHour;
import io.spillway.server.events.EventInputs;
import io.spillway.server.events.EventTime;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Observations of probes that run elsewhere, as JSON; the key of the record is the market key. */
final class ObservationRecords implements RecordReader {
  private static final ObjectMapper JSON =
      JsonMapper.builder().disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES).build();

  @Override
  public EventInputs read(String value, Instant receivedAt) {
    try {
      Body body = JSON.readValue(value, Body.class);
      if (body == null) {
        return malformed("the record says nothing");
      }
      Observation seen = body.observation(receivedAt);
      requireBelievable(seen, receivedAt);
      return new EventInputs(
          List.of(new ObservationChanged(seen)), "observation", Optional.empty());
    } catch (JsonProcessingException e) {
      return malformed(e.getOriginalMessage());
    } catch (DateTimeException | IllegalArgumentException e) {
      return malformed(e.getMessage());
    }
  }

  /** A price of tomorrow would never be too old to be used. */
  private static void requireBelievable(Observation seen, Instant receivedAt) {
    Instant latest = receivedAt.plus(CLOCKS_DIFFER);
    if (!EventTime.isPlausible(seen.priceAt())
        || !EventTime.isPlausible(seen.observedAt())
        || seen.priceAt().isAfter(latest)
        || seen.observedAt().isAfter(latest)) {
      throw new IllegalArgumentException("priceAt or observedAt is a time that cannot be");
    }
  }

  private static EventInputs malformed(String why) {
    return new EventInputs(List.of(), "malformed", Optional.of(String.valueOf(why)));
  }

  /** Between the probe's clock and that of whoever stamped the record. */
  private static final Duration CLOCKS_DIFFER = Duration.ofHours(1);

  /** The record's fields; prices are decimal dollars of one GPU and hour. */
  record Body(
      String provider,
      String account,
      String region,
      String zone,
      String instanceType,
      String capacityType,
      String reservation,
      String gpu,
      int gpus,
      int cpus,
      int memoryGiB,
      String usdPerGpuHour,
      String onDemandUsdPerGpuHour,
      String availability,
      String trust,
      String priceAt,
      String observedAt,
      String source) {

    Observation observation(Instant receivedAt) {
      Instant observed = observedAt == null ? receivedAt : Instant.parse(observedAt);
      return new Observation(
          new MarketKey(
              required("provider", provider),
              required("account", account),
              required("region", region),
              zone == null ? region : zone,
              required("instanceType", instanceType),
              CapacityType.parse(required("capacityType", capacityType)),
              Optional.ofNullable(reservation)),
          new NodeShape(new GpuModel(required("gpu", gpu)), gpus, cpus, memoryGiB),
          Optional.ofNullable(usdPerGpuHour).map(UsdPerGpuHour::parse),
          Optional.ofNullable(onDemandUsdPerGpuHour).map(UsdPerGpuHour::parse),
          Observation.Availability.valueOf(upper(availability, "UNKNOWN")),
          Trust.valueOf(upper(trust, "LISTED")),
          priceAt == null ? observed : Instant.parse(priceAt),
          observed,
          source == null ? "kafka" : source);
    }

    private static String upper(String text, String otherwise) {
      return text == null ? otherwise : text.toUpperCase(Locale.ROOT);
    }

    private static String required(String field, String value) {
      if (value == null || value.isEmpty()) {
        throw new IllegalArgumentException("field '" + field + "' is missing");
      }
      return value;
    }
  }
}
