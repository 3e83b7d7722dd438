package io.spillway.capacity.gcp;

import io.spillway.capacity.http.HttpCall;
import io.spillway.capacity.http.JsonView;
import io.spillway.capacity.http.ProbeRun;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/** GPU quota left in a region, by metric. A metric that is not told says nothing. */
final class GcpQuota {
  private final String root;

  GcpQuota(String root) {
    this.root = root;
  }

  CompletableFuture<Map<String, Long>> left(String region, ProbeRun run) {
    HttpCall call =
        HttpCall.get(root + "/regions/" + HttpCall.encode(region)).with("fields", "quotas");
    return run.send(call).thenApply(answer -> left(answer.json().optionalList("quotas")));
  }

  private static Map<String, Long> left(List<JsonView> quotas) {
    Map<String, Long> left = new HashMap<>();
    for (JsonView quota : quotas) {
      String metric = quota.text("metric");
      if (metric.contains("GPU")) {
        left.put(
            metric,
            quota
                .decimal("limit")
                .subtract(quota.optionalDecimal("usage").orElse(java.math.BigDecimal.ZERO))
                .longValue());
      }
    }
    return Map.copyOf(left);
  }
}
