package io.spillway.scheduler.market;

import io.spillway.scheduler.model.MarketKey;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * A provider's word that capacity goes, is gone, or is at risk. Told again, or told by two sources,
 * it changes nothing more; a later notice may only bring the deadline forward.
 *
 * @param noticeId the provider's event id, else a hash of provider, resource, kind and deadline
 * @param account the provider's account id or the configured account name
 * @param region empty when the provider does not say it; ids of instances then decide alone
 * @param instances provider ids of the instances meant, as nodes report them; may be empty if
 *     {@code offering} is there
 * @param offering the market key meant, if the notice names one; with a reservation it means all of
 *     that, and its zone and type need not be known
 * @param noticedAt when the provider says it was emitted
 * @param deadline when the capacity goes by the provider's word
 */
public record CapacityNotice(
    String noticeId,
    String provider,
    String account,
    String region,
    Kind kind,
    List<String> instances,
    Optional<MarketKey> offering,
    Instant noticedAt,
    Optional<Instant> deadline) {

  public CapacityNotice {
    instances = List.copyOf(instances);
  }

  /** The same notice with another deadline. */
  public CapacityNotice withDeadline(Instant other) {
    return new CapacityNotice(
        noticeId,
        provider,
        account,
        region,
        kind,
        instances,
        offering,
        noticedAt,
        Optional.of(other));
  }

  /** What kind of word it is. */
  public enum Kind {
    /** The provider takes the instance back at the deadline. */
    INTERRUPTION,
    /** The instance may be taken soon; nothing is drained, nothing new is placed there. */
    RISK,
    /** The host will be serviced at the deadline. */
    MAINTENANCE,
    /** The instance is stopping or gone. */
    LOSS,
    /** The instance is running, by the provider's word. */
    RUNNING
  }
}
