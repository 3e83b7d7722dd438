package io.spillway.capacity.simulated.cloud;

/** Where provider events go. May be called from the timeline; never blocks it. */
public interface EventSink extends AutoCloseable {
  /** Interruption, rebalance and preemption notices. */
  String NOTICES = "spillway.capacity-notices";

  /** Everything else that providers tell. */
  String EVENTS = "spillway.capacity-events";

  /** Sends one event as it would come from the provider's event service. */
  void send(String topic, String key, String json);

  @Override
  default void close() {}
}
