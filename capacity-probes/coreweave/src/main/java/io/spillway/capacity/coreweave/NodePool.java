package io.spillway.capacity.coreweave;

import io.spillway.capacity.http.JsonView;
import java.util.Locale;
import java.util.Optional;

/**
 * A node pool ({@code compute.coreweave.com/v1alpha1}), as far as capacity goes. Names of its
 * conditions changed in January 2026, so they are matched by their beginnings and by words of their
 * reasons.
 *
 * @param spot its compute class; anything else is on demand or reserved
 * @param current nodes it has
 * @param growing nodes that are on their way
 * @param elastic whether it may be asked for more: it scales by itself and is under its maximum
 * @param refusal the condition that forbids it to grow, as {@code Capacity/None}
 */
record NodePool(
    String name,
    String instanceType,
    boolean spot,
    int current,
    boolean growing,
    boolean elastic,
    Optional<String> refusal) {

  static NodePool of(JsonView row) {
    JsonView spec = row.object("spec");
    Optional<JsonView> status = row.optionalObject("status");
    int current = status.flatMap(s -> s.optionalInteger("currentNodes")).orElse(0);
    int target = spec.optionalInteger("targetNodes").orElse(current);
    int most = spec.optionalInteger("maxNodes").orElse(Integer.MAX_VALUE);
    return new NodePool(
        row.object("metadata").text("name"),
        spec.text("instanceType"),
        spec.optionalText("computeClass").orElse("default").equalsIgnoreCase("spot"),
        current,
        target > current,
        spec.flag("autoscaling", false) && Math.max(current, target) < most,
        status.flatMap(NodePool::refusal));
  }

  private static Optional<String> refusal(JsonView status) {
    return status.optionalList("conditions").stream()
        .filter(NodePool::refuses)
        .map(condition -> condition.text("type") + '/' + reason(condition))
        .findFirst();
  }

  private static boolean refuses(JsonView condition) {
    String reason = reason(condition).toLowerCase(Locale.ROOT);
    String type = condition.text("type");
    if (type.startsWith("Capacity")) {
      return reason.contains("none") || reason.contains("partial");
    }
    if (type.startsWith("Quota")) {
      return reason.contains("over") || reason.contains("notset");
    }
    return (type.startsWith("Valid") || type.startsWith("Accepted"))
        && condition.optionalText("status").orElse("").equals("False");
  }

  private static String reason(JsonView condition) {
    return condition.optionalText("reason").orElse("");
  }
}
