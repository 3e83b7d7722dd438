package io.spillway.capacity.azure;

import com.fasterxml.jackson.databind.JsonNode;
import io.spillway.capacity.http.EventBatch;
import io.spillway.capacity.spi.EventNormalizer;
import io.spillway.capacity.spi.Facts;
import io.spillway.capacity.spi.FailureClassifier;
import io.spillway.scheduler.market.CapacityNotice;
import io.spillway.scheduler.market.CapacityNotice.Kind;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Optional;

/**
 * What Azure tells of machines, in three shapes: Scheduled Events, which only the machine itself
 * can read and its agent forwards; Event Grid, in its own schema or as CloudEvents; the activity
 * log, exported to Event Hubs. The first comes before an eviction, the others after it.
 */
final class AzureEvents implements EventNormalizer {
  private static final List<String> SIGNS =
      List.of("DocumentIncarnation", "Microsoft.", "microsoft.", "MICROSOFT.");

  private final ActivityLog activities;
  private final ScheduledEvents scheduled;

  AzureEvents(FailureClassifier classifier, Facts facts) {
    this.activities = new ActivityLog(classifier);
    this.scheduled = new ScheduledEvents(facts);
  }

  @Override
  public Normalized normalize(String json, AccountNames accounts, Instant receivedAt) {
    return SIGNS.stream().anyMatch(json::contains)
        ? EventBatch.normalize(json, event -> one(event, accounts, receivedAt))
        : new NotMine();
  }

  private Normalized one(JsonNode event, AccountNames accounts, Instant receivedAt) {
    try {
      if (event.has("DocumentIncarnation")) {
        return scheduled.read(event, accounts, receivedAt);
      }
      if (EventGrid.isOne(event)) {
        return EventGrid.read(event, accounts);
      }
      return ActivityLog.isOne(event) ? activities.read(event, accounts) : new NotMine();
    } catch (DateTimeException e) {
      return new Malformed("unreadable time: " + e.getMessage());
    }
  }

  /** A notice about one machine; Azure's resource ids say their subscription but no region. */
  static Normalized notice(
      String id,
      VmId vm,
      AccountNames accounts,
      String region,
      Kind kind,
      Instant at,
      Optional<Instant> deadline) {
    return new Notices(
        List.of(
            new CapacityNotice(
                "azure:" + id,
                "azure",
                accounts.nameOf("azure", vm.subscription()).orElse(vm.subscription()),
                region,
                kind,
                vm.asNodesNameIt(),
                Optional.empty(),
                at,
                deadline)));
  }

  static Instant time(JsonNode value) {
    return OffsetDateTime.parse(value.asText()).toInstant();
  }
}
