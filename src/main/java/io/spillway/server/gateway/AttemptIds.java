package io.spillway.server.gateway;

import io.spillway.scheduler.model.AttemptId;
import java.util.Optional;
import java.util.function.Function;

/** Attempt ids as agents write them: read from labels, which users can forge. */
final class AttemptIds {
  private static final int MAX_LENGTH = 64;

  private AttemptIds() {}

  /** The id, or empty when the text is none. */
  static Optional<AttemptId> read(String text) {
    if (text.isEmpty() || text.length() > MAX_LENGTH) {
      return Optional.empty();
    }
    try {
      return Optional.of(AttemptId.parse(text));
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  /** The id, if it can be read and is no other cluster's. */
  static AttemptId ours(String text, Function<AttemptId, Belonging> belongings)
      throws RefusedMessageException {
    AttemptId id =
        read(text)
            .orElseThrow(
                () ->
                    new RefusedMessageException(
                        "no attempt id: '" + AgentText.clean(text, MAX_LENGTH) + "'"));
    if (belongings.apply(id) instanceof Belonging.Foreign) {
      throw new RefusedMessageException("attempt " + id + " is another cluster's");
    }
    return id;
  }
}
