package io.spillway.server.events;

import io.spillway.capacity.spi.CapacityProvider;
import io.spillway.capacity.spi.EventNormalizer.Failures;
import io.spillway.capacity.spi.EventNormalizer.Malformed;
import io.spillway.capacity.spi.EventNormalizer.Normalized;
import io.spillway.capacity.spi.EventNormalizer.NotMine;
import io.spillway.capacity.spi.EventNormalizer.Notices;
import io.spillway.capacity.spi.EventNormalizer.Several;
import io.spillway.capacity.spi.FailureText;
import io.spillway.server.providers.Providers;
import io.spillway.server.providers.UnknownRefusals;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.time.Instant;
import java.util.stream.Stream;

/** Finds the module that understands an event. Thread-safe; never throws for bad text. */
@ApplicationScoped
public class EventReader {
  /** Longer texts are no provider's event: the largest envelope known is 256 KiB (EventBridge). */
  private static final int MAX_LENGTH = 512 * 1024;

  private final Providers providers;
  private final SpillwayEvents own;
  private final UnknownRefusals unknown = new UnknownRefusals();

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
    Normalized result = plausible(understood(json, receivedAt));
    tellOfUnknown(result);
    return result;
  }

  private Normalized understood(String json, Instant receivedAt) {
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

  private static Normalized plausible(Normalized read) {
    boolean all =
        switch (read) {
          case Notices told ->
              told.notices().stream()
                  .flatMap(n -> Stream.concat(Stream.of(n.noticedAt()), n.deadline().stream()))
                  .allMatch(EventTime::isPlausible);
          case Failures told ->
              told.failures().stream().allMatch(f -> EventTime.isPlausible(f.at()));
          default -> true;
        };
    if (!all) {
      return new Malformed("it happens at a time that cannot be");
    }
    return read instanceof Several several
        ? new Several(several.parts().stream().map(EventReader::plausible).toList())
        : read;
  }

  private void tellOfUnknown(Normalized result) {
    switch (result) {
      case Failures told ->
          told.failures()
              .forEach(failure -> unknown.look(failure, FailureText.of("", failure.code())));
      case Several several -> several.parts().forEach(this::tellOfUnknown);
      default -> {
        // No refusal.
      }
    }
  }
}
