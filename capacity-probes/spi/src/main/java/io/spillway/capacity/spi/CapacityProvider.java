package io.spillway.capacity.spi;

import io.spillway.scheduler.model.GpuModel;
import java.time.Duration;
import java.util.Map;
import java.util.Set;

/**
 * The door of a provider module, found by {@link java.util.ServiceLoader}. Instances are created
 * once, at start-up, on the main thread; the constructor must not touch the network.
 */
public interface CapacityProvider {

  /** The provider's name in configuration, policies and metrics, for example {@code aws}. */
  String name();

  /** The provider's own GPU names, mapped to the canonical models. */
  Map<String, GpuModel> gpuAliases();

  /**
   * A probe of one configured account. Called once per account at start-up.
   *
   * @throws IllegalArgumentException if the settings cannot work; the message names the setting.
   *     The provider is then off for that account and says so once.
   */
  CapacityProbe probe(AccountSettings account);

  /** Stateless and thread-safe. */
  FailureClassifier classifier();

  /** Thread-safe; knows nothing but facts and what was learnt. */
  EventNormalizer normalizer();

  /**
   * What this instance's probes learnt of an account that its normaliser reads events by, such as
   * ids behind names. Small, and slow to change; any thread, never blocks.
   */
  default Map<String, String> learnt(String account) {
    return Map.of();
  }

  /**
   * The same as the probes of another replica learnt it: probes run on one, and events are read on
   * all. Any thread.
   */
  default void learn(String account, Map<String, String> known) {
    // Nothing is needed.
  }

  /**
   * The provider whose market that account shows: this module's own, unless it plays others' parts.
   * Observations carry it, and account ids in events are looked up under it.
   */
  default String marketOf(AccountSettings account) {
    return name();
  }

  /**
   * Providers whose refusals this module classifies when they have no module of their own; a module
   * with that very name always goes first.
   */
  default Set<String> standsInFor() {
    return Set.of();
  }

  /**
   * What this provider's documentation leaves open or may change, as this instance takes it; the
   * module's README says where each time is from.
   */
  Facts facts();

  /**
   * The same provider with other facts: its classifier and its normaliser go by them. Called at
   * start-up before anything else.
   *
   * @param told times by name
   * @throws IllegalArgumentException naming a fact that the module does not know
   */
  CapacityProvider with(Map<String, Duration> told);

  /**
   * A zone as this provider's nodes and observations carry it. People write zones as they read them
   * somewhere, in either case; offerings are joined letter by letter.
   *
   * @param written in a policy
   */
  default String zoneOf(String written) {
    return written;
  }

  /**
   * What must stand between a machine of this provider and a job: shown beside capacity that would
   * be cheapest and that no cluster can start.
   */
  default WayIn wayIn() {
    return WayIn.NODE_GROUP;
  }

  /**
   * How machines become nodes of a cluster.
   *
   * @param possible false if they cannot, whatever one installs
   * @param words for people: what is needed, or why there is no way
   */
  record WayIn(boolean possible, String words) {
    /** The way of most clouds. */
    public static final WayIn NODE_GROUP =
        new WayIn(
            true, "a Kubernetes cluster there with Spillway's agent and a node group of the type");
  }
}
