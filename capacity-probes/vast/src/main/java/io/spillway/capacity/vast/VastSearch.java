package io.spillway.capacity.vast;

import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.spillway.capacity.http.Credentials;
import io.spillway.capacity.http.HttpCall;
import io.spillway.capacity.spi.AccountSettings;
import io.spillway.scheduler.model.CapacityType;
import java.math.BigDecimal;
import java.util.Collection;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * The search for offers: verified machines in data centres that can be rented now, cheapest first.
 *
 * @param names of GPUs
 * @param counts of GPUs in a machine; smaller slices of a machine are offers of their own
 * @param filters of the account
 */
record VastSearch(NavigableSet<String> names, NavigableSet<Integer> counts, Filters filters) {
  /** Offers in one answer, at most. */
  static final int PAGE = 64;

  private static final JsonMapper JSON = JsonMapper.builder().build();

  /**
   * What an account takes.
   *
   * @param reliability the least that an offer must have, from 0 to 1
   * @param dataCentersOnly whether machines of private persons are left out
   */
  record Filters(BigDecimal reliability, boolean dataCentersOnly) {
    private static final String RELIABILITY = "min-reliability";
    private static final String DATA_CENTRES = "datacenters-only";

    /**
     * @throws IllegalArgumentException if a setting cannot be
     */
    static Filters of(AccountSettings account) {
      String places = Credentials.orElse(account, DATA_CENTRES, "true");
      if (!places.equals("true") && !places.equals("false")) {
        throw new IllegalArgumentException("credentials." + DATA_CENTRES + " is true or false");
      }
      return new Filters(
          reliability(Credentials.orElse(account, RELIABILITY, "0.98")), places.equals("true"));
    }

    private static BigDecimal reliability(String text) {
      if (!text.matches("0(\\.\\d{1,4})?|1(\\.0{1,4})?")) {
        throw new IllegalArgumentException(
            "credentials." + RELIABILITY + " is a number from 0 to 1, such as 0.98");
      }
      return new BigDecimal(text);
    }
  }

  /** For the machines that policies want; without any, whole machines of every GPU there is. */
  static VastSearch of(Set<String> interest, Filters filters) {
    NavigableSet<String> names = new TreeSet<>();
    NavigableSet<Integer> counts = new TreeSet<>();
    for (String type : interest) {
      VastGpus.machine(type)
          .ifPresent(
              machine -> {
                names.add(machine.name());
                counts.add(machine.count());
              });
    }
    if (names.isEmpty()) {
      names.addAll(VastGpus.ALIASES.keySet());
      counts.add(8);
    }
    return new VastSearch(names, counts, filters);
  }

  /** Whether offers of that instance type are searched for. */
  boolean covers(String instanceType) {
    return VastGpus.machine(instanceType)
        .filter(machine -> names.contains(machine.name()) && counts.contains(machine.count()))
        .isPresent();
  }

  /** The cheapest offers; those dearer than {@code above}, if that is given. */
  HttpCall call(CapacityType market, Optional<BigDecimal> above) {
    ObjectNode query = JSON.createObjectNode();
    texts(query, "gpu_name", names);
    numbers(query, "num_gpus", counts);
    query.putObject("rentable").put("eq", true);
    query.putObject("rented").put("eq", false);
    query.putObject("verified").put("eq", true);
    query.putObject("reliability2").put("gte", filters.reliability());
    if (filters.dataCentersOnly()) {
      query.putObject("datacenter").put("eq", true);
    }
    above.ifPresent(price -> query.putObject("dph_base").put("gt", price));
    query.putArray("order").addArray().add("dph_base").add("asc");
    query.put("type", market == CapacityType.SPOT ? "bid" : "ondemand");
    query.put("limit", PAGE);
    return HttpCall.post("/api/v0/bundles/", query.toString());
  }

  private static void texts(ObjectNode query, String field, Collection<String> values) {
    var in = query.putObject(field).putArray("in");
    values.forEach(in::add);
  }

  private static void numbers(ObjectNode query, String field, Collection<Integer> values) {
    var in = query.putObject(field).putArray("in");
    values.forEach(in::add);
  }
}
