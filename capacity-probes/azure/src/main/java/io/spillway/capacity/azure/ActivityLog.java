package io.spillway.capacity.azure;

import com.fasterxml.jackson.databind.JsonNode;
import io.spillway.capacity.spi.EventNormalizer.AccountNames;
import io.spillway.capacity.spi.EventNormalizer.Failures;
import io.spillway.capacity.spi.EventNormalizer.Irrelevant;
import io.spillway.capacity.spi.EventNormalizer.Malformed;
import io.spillway.capacity.spi.EventNormalizer.Normalized;
import io.spillway.capacity.spi.FailureClassifier;
import io.spillway.capacity.spi.FailureClassifier.Failure;
import io.spillway.scheduler.market.CapacityNotice.Kind;
import io.spillway.scheduler.model.CapacityType;
import io.spillway.scheduler.model.MarketKey;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Records of the activity log as a diagnostic setting exports them. Their names are shouted, and
 * what a failed operation says is JSON inside a string.
 */
final class ActivityLog {
  private static final Pattern SUBSCRIPTION =
      Pattern.compile("/subscriptions/([^/]+)", Pattern.CASE_INSENSITIVE);
  private static final Pattern SIZE = Pattern.compile("Standard_N[A-Z]+\\d+[A-Za-z0-9_]*");
  private static final Pattern TAKEN =
      Pattern.compile(
          "microsoft\\.compute/(?:virtualmachinescalesets/)?virtualmachines/"
              + "(?:delete|(?:deallocate|poweroff|evict\\w*|\\w*preempt\\w*)/action)");
  private static final Pattern CREATED =
      Pattern.compile(
          "microsoft\\.compute/(?:virtualmachines|virtualmachinescalesets(?:/virtualmachines)?)/write");

  private final FailureClassifier classifier;

  ActivityLog(FailureClassifier classifier) {
    this.classifier = classifier;
  }

  static boolean isOne(JsonNode event) {
    return event.has("operationName")
        && event.path("resourceId").asText().toLowerCase(Locale.ROOT).startsWith("/subscriptions/");
  }

  /** Whether that operation, in lower case, ends a machine. */
  static boolean takesMachine(String operation) {
    return TAKEN.matcher(operation).matches();
  }

  Normalized read(JsonNode event, AccountNames accounts) {
    String operation = operation(event.path("operationName"));
    String result = event.path("resultType").asText().toLowerCase(Locale.ROOT);
    if (result.startsWith("fail") && CREATED.matcher(operation).matches()) {
      return failure(event, accounts);
    }
    Optional<VmId> vm = VmId.of(event.path("resourceId").asText());
    if (vm.isPresent() && takesMachine(operation) && !result.startsWith("fail")) {
      Instant time = AzureEvents.time(event.path("time"));
      String id = event.path("correlationId").asText();
      return AzureEvents.notice(
          id.isEmpty() ? vm.get().path() + '@' + time : id + ':' + vm.get().path(),
          vm.get(),
          accounts,
          "",
          Kind.LOSS,
          time,
          Optional.of(time));
    }
    return new Irrelevant(operation.isEmpty() ? "activity" : operation);
  }

  private Normalized failure(JsonNode event, AccountNames accounts) {
    JsonNode properties = event.path("properties");
    String words = text(properties.path("statusMessage"));
    String request = text(properties.path("requestbody")) + text(properties.path("responseBody"));
    String region =
        event
            .path("location")
            .asText(properties.path("location").asText())
            .toLowerCase(Locale.ROOT);
    Matcher size = SIZE.matcher(request + ' ' + words);
    Matcher subscription = SUBSCRIPTION.matcher(event.path("resourceId").asText());
    if (!size.find() || !subscription.find() || region.isEmpty() || region.equals("global")) {
      return new Malformed("a failed creation without VM size or location");
    }
    boolean spot = request.matches("(?s).*\"priority\"\\s*:\\s*\"Spot\".*");
    String account = subscription.group(1).toLowerCase(Locale.ROOT);
    MarketKey key =
        new MarketKey(
            "azure",
            accounts.nameOf("azure", account).orElse(account),
            region,
            zone(region, request),
            size.group(),
            spot ? CapacityType.SPOT : CapacityType.ON_DEMAND,
            Optional.empty());
    return new Failures(
        List.of(
            classifier.classify(
                new Failure(key, "", words, 0, AzureEvents.time(event.path("time"))))));
  }

  private static String zone(String region, String request) {
    Matcher zones = Pattern.compile("\"zones\"\\s*:\\s*\\[\\s*\"(\\d)\"\\s*]").matcher(request);
    return zones.find() ? region + '-' + zones.group(1) : region;
  }

  /** Some exports write the name as an object. */
  private static String operation(JsonNode name) {
    return (name.isObject() ? name.path("value") : name).asText().toLowerCase(Locale.ROOT);
  }

  private static String text(JsonNode value) {
    return value.isTextual() ? value.asText() : value.isMissingNode() ? "" : value.toString();
  }
}
