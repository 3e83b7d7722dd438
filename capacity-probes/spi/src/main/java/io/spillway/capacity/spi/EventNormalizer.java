package io.spillway.capacity.spi;

import io.spillway.scheduler.market.CapacityNotice;
import io.spillway.scheduler.model.CapacityFailure;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Reads a provider's event. Called on any thread, must not block, never throws: what cannot be
 * understood is {@link Malformed} and ends in the dead letters with its reason.
 */
public interface EventNormalizer {

  /**
   * @param json one event or a carrier's batch of them, as it came; wrappers (SNS, SQS, Pub/Sub, a
   *     JSON string) may be around it
   * @param accounts names of configured accounts by the provider's ids
   */
  Normalized normalize(String json, AccountNames accounts, Instant receivedAt);

  /** The configured name of a provider's account id. */
  interface AccountNames {
    Optional<String> nameOf(String provider, String accountId);
  }

  /** What an event is. */
  sealed interface Normalized {}

  /** Capacity goes, is gone or at risk. */
  record Notices(List<CapacityNotice> notices) implements Normalized {
    public Notices {
      notices = List.copyOf(notices);
    }
  }

  /** Capacity was refused. */
  record Failures(List<CapacityFailure> failures) implements Normalized {
    public Failures {
      failures = List.copyOf(failures);
    }
  }

  /**
   * A batch, read event by event: what one of them cannot say spoils no other.
   *
   * @param parts in the order of the batch; none of them is a batch itself
   */
  record Several(List<Normalized> parts) implements Normalized {
    public Several {
      parts = List.copyOf(parts);
    }
  }

  /** Understood, and nothing to do. */
  record Irrelevant(String type) implements Normalized {}

  /** Not this provider's. */
  record NotMine() implements Normalized {}

  /** This provider's, but not readable. */
  record Malformed(String reason) implements Normalized {}
}
