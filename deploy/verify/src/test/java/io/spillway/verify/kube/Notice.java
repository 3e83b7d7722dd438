package io.spillway.verify.kube;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;

/** What a cloud says of machines that it will take, as one of Spillway's CloudEvents. */
public record Notice(String provider, String account, String region) {

  /** These instances will be gone after that time. */
  public ObjectNode interruption(JsonNode instances, Duration lead) {
    ObjectNode event = new ObjectMapper().createObjectNode();
    event.put("specversion", "1.0").put("id", UUID.randomUUID().toString());
    event.put("type", "io.spillway.capacity.interruption").put("source", "/" + provider);
    event.put("time", Instant.now().toString());
    ObjectNode data = event.putObject("data");
    data.put("provider", provider).put("account", account).put("region", region);
    data.set("instances", instances);
    data.put("deadline", Instant.now().plus(lead).toString());
    return event;
  }
}
