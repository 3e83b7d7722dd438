package io.spillway.server.providers;

import io.spillway.capacity.spi.FailureText;
import io.spillway.scheduler.model.CapacityFailure;
import io.spillway.scheduler.model.FailureClass;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jboss.logging.Logger;

/**
 * Tells the log of refusals that no rule knows, each shape of words once, so that somebody can
 * write a rule. Words are told without numbers, quoted text and anything that looks like a key. Any
 * thread.
 */
public final class UnknownRefusals {
  private static final Logger LOG = Logger.getLogger(UnknownRefusals.class);

  /** Shapes remembered; a provider that invents more is told of again. */
  private static final int REMEMBERED = 1_000;

  private final Map<String, Boolean> told =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Boolean> eldest) {
          return size() > REMEMBERED;
        }
      };

  /**
   * Looks at a refusal as it was classified.
   *
   * @param words its code and its text as they came
   * @return what was logged, if anything was
   */
  public Optional<String> look(CapacityFailure failure, FailureText words) {
    if (failure.failureClass() != FailureClass.UNKNOWN) {
      return Optional.empty();
    }
    String shape = failure.scope().provider() + ": " + words.shape();
    synchronized (told) {
      if (told.put(shape, true) != null) {
        return Optional.empty();
      }
    }
    LOG.warnf(
        "a refusal that no rule knows; jobs go elsewhere, later ones of the same words are only"
            + " counted: %s",
        shape);
    return Optional.of(shape);
  }
}
