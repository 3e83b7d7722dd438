package io.spillway.server.events;

import io.spillway.capacity.spi.CapacityProvider;
import io.spillway.capacity.spi.EventNormalizer.Malformed;
import io.spillway.capacity.spi.EventNormalizer.Normalized;
import io.spillway.capacity.spi.EventNormalizer.NotMine;
import io.spillway.server.providers.Providers;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.time.Instant;

/** Finds the module that understands an event. Thread-safe; never throws for bad text. */
@ApplicationScoped
public class EventReader {
  /** Longer texts are no provider's event: the largest envelope known is 256 KiB (EventBridge). */
  private static final int MAX_LENGTH = 512 * 1024;

  private final Providers providers;
  private final SpillwayEvents own;

  @Inject
  EventReader(Providers providers) {
    this.providers = providers;
    this.own = new SpillwayEvents(providers);
  }

  /** What the event says; {@link Malformed} if nobody understands it. */
  public Normalized read(String json, Instant receivedAt) {
    if (json.length() > MAX_LENGTH) {
      return new Malformed("longer than " + MAX_LENGTH + " characters");
    }
    Normalized result = own.normalize(json, providers, receivedAt);
    for (CapacityProvider provider : providers.modules().values()) {
      if (!(result instanceof NotMine)) {
        return result;
      }
      result = provider.normalizer().normalize(json, providers, receivedAt);
    }
    return result instanceof NotMine
        ? new Malformed("no provider module knows this event")
        : result;
  }
}
