package io.spillway.capacity.simulated;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.spillway.capacity.simulated.cloud.Behaviour;
import io.spillway.capacity.simulated.market.MarketSettings;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * How the clouds' process is started; a JSON object, described in the module's README.
 *
 * @param directory for the ledger and the agents' memory
 * @param port of the control server on 127.0.0.1; 0 = any, written to {@code <directory>/port}
 * @param kafka bootstrap servers; empty = events go nowhere
 * @param gateways of the control plane, {@code host:port}
 * @param ledger whether what happens is written to a file
 */
public record CloudsSettings(
    Path directory,
    int port,
    String kafka,
    List<String> gateways,
    boolean ledger,
    MarketSettings market,
    Behaviour behaviour,
    Optional<Path> traces) {

  public CloudsSettings {
    gateways = List.copyOf(gateways);
  }

  /**
   * @throws IOException if the file is not readable
   * @throws IllegalArgumentException for values that cannot be; the message names them
   */
  public static CloudsSettings read(Path file) throws IOException {
    JsonNode json = new ObjectMapper().readTree(file.toFile());
    long seed = json.path("seed").asLong(1);
    JsonNode market = json.path("market");
    MarketSettings calm = MarketSettings.calm(seed);
    List<String> gateways = new ArrayList<>();
    json.path("gateways").forEach(address -> gateways.add(address.asText()));
    String traces = json.path("traces").asText("");
    Behaviour profile = Behaviour.profile(json.path("profile").asText("calm"));
    return new CloudsSettings(
        Path.of(json.path("directory").asText(".")),
        json.path("port").asInt(0),
        json.path("kafka").asText(""),
        gateways,
        json.path("ledger").asBoolean(true),
        new MarketSettings(
            seed,
            market.path("spotNodes").asInt(calm.spotNodes()),
            market.path("onDemandNodes").asInt(calm.onDemandNodes()),
            market.path("volatility").asDouble(calm.volatility()),
            Duration.ofSeconds(market.path("stepSeconds").asLong(calm.step().toSeconds())),
            market.path("speed").asDouble(calm.speed())),
        json.has("behaviour") ? profile.with(json.path("behaviour")) : profile,
        traces.isEmpty() ? Optional.empty() : Optional.of(Path.of(traces)));
  }
}
