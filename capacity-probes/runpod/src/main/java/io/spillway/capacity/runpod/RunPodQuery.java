package io.spillway.capacity.runpod;

import com.fasterxml.jackson.databind.json.JsonMapper;
import io.spillway.capacity.http.HttpCall;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/**
 * RunPod's GraphQL queries. Stock depends on the count of GPUs and the data centre, so a query asks
 * {@code lowestPrice} once for each pair, under an alias.
 */
final class RunPodQuery {
  /** Pairs in one query: an answer of about 100 kB. */
  private static final int PAIRS = 24;

  private static final int MOST_COUNTS = 4;
  private static final JsonMapper JSON = JsonMapper.builder().build();

  static final HttpCall CENTRES = call("query { dataCenters { id listed } }");

  /** Nothing else is ever put into a query. */
  private static final Pattern CENTRE = Pattern.compile("[A-Z]{2,3}(?:-[A-Z0-9]{1,6}){1,3}");

  private RunPodQuery() {}

  /** Whether the text is built like a data centre's id. */
  static boolean isCentre(String id) {
    return CENTRE.matcher(id).matches();
  }

  /** The country of a data centre: {@code US-KS-2} is US, {@code EU-CZ-1} is CZ. */
  static String country(String centre) {
    String[] parts = centre.split("-", 3);
    boolean continent = Set.of("EU", "EUR", "AP", "OC", "SA", "AF", "SEA").contains(parts[0]);
    return (continent ? parts[1] : parts[0]).toUpperCase(Locale.ROOT);
  }

  /** Counts of GPUs that policies want, else one and a whole machine of eight; at most four. */
  static NavigableSet<Integer> counts(Set<String> interest) {
    NavigableSet<Integer> counts = new TreeSet<>();
    interest.stream().map(RunPodGpus::count).flatMap(Optional::stream).forEach(counts::add);
    if (counts.isEmpty()) {
      counts.addAll(List.of(1, 8));
    }
    while (counts.size() > MOST_COUNTS) {
      counts.pollFirst();
    }
    return counts;
  }

  /** The centres in groups that one query each can ask for. */
  static List<List<String>> groups(Collection<String> centres, int counts) {
    List<String> all = List.copyOf(centres);
    int size = Math.max(1, PAIRS / Math.max(1, counts));
    List<List<String>> groups = new ArrayList<>();
    for (int from = 0; from < all.size(); from += size) {
      groups.add(all.subList(from, Math.min(all.size(), from + size)));
    }
    return groups;
  }

  /** The market of some centres. */
  static HttpCall market(List<String> centres, Collection<Integer> counts) {
    StringBuilder query = new StringBuilder("query { gpuTypes { id displayName maxGpuCount");
    for (int i = 0; i < centres.size(); i++) {
      for (int count : counts) {
        query
            .append(' ')
            .append(alias(i, count))
            .append(": lowestPrice(input: {gpuCount: ")
            .append(count)
            .append(", secureCloud: true, dataCenterId: \"")
            .append(centres.get(i))
            .append("\"}) { minimumBidPrice uninterruptablePrice stockStatus minVcpu minMemory }");
      }
    }
    return call(query.append(" } }").toString());
  }

  /** The name of a pair in a row of the answer. */
  static String alias(int centre, int count) {
    return "p" + centre + '_' + count;
  }

  private static HttpCall call(String query) {
    return HttpCall.post("/graphql", JSON.createObjectNode().put("query", query).toString());
  }
}
