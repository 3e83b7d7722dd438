package io.spillway.server.events;

import io.smallrye.mutiny.Uni;

/** Takes a provider's events from outside Kafka. May be called from any thread; never blocks. */
public interface ProviderEvents {

  /**
   * Makes the event, or each of a batch, durable in its lane. Fails with {@code
   * Inbox.StoreUnavailable} when there is no database.
   *
   * @param json the event as the provider sent it, wrapped or bare
   */
  Uni<Answer> accept(String json, String actor);

  /** What was made of it. */
  sealed interface Answer {
    /**
     * @param inputs how many notices or failures it held
     */
    record Taken(int inputs) implements Answer {}

    /** Understood, and nothing to do. */
    record NothingToDo(String type) implements Answer {}

    /** Not understood, or not whole: what was is taken all the same; the caller keeps it. */
    record NotUnderstood(String reason) implements Answer {}
  }
}
