package io.spillway.policies.compute;

import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * How pods reach the fabric, where a cluster differs from its kind.
 *
 * @param resource extended resource that gives the devices
 * @param count of it on a whole node
 * @param networks names of secondary networks, for the annotation of Multus
 * @param topologyConfigMap a ConfigMap with NCCL's {@code topo.xml}
 * @param env added to the kind's own, and stronger
 */
public record RdmaSetup(
    Optional<Mode> mode,
    Optional<String> resource,
    OptionalInt count,
    List<String> networks,
    Optional<String> topologyConfigMap,
    SortedMap<String, String> env) {

  public static final RdmaSetup USUAL =
      new RdmaSetup(
          Optional.empty(),
          Optional.empty(),
          OptionalInt.empty(),
          List.of(),
          Optional.empty(),
          new TreeMap<>());

  public RdmaSetup {
    networks = List.copyOf(networks);
    env = Collections.unmodifiableSortedMap(new TreeMap<>(env));
  }

  /** Who gives a pod its devices. */
  public enum Mode {
    /** The host's own network and {@code /dev/infiniband}. */
    HOST_NETWORK("host-network"),
    /** Virtual functions by a secondary network. */
    SR_IOV("sr-iov"),
    /** A device plugin, by an extended resource alone. */
    DEVICE_PLUGIN("device-plugin");

    private final String text;

    Mode(String text) {
      this.text = text;
    }

    /** The name in YAML. */
    public String text() {
      return text;
    }

    /**
     * @throws IllegalArgumentException for any other text
     */
    public static Mode parse(String text) {
      for (Mode mode : values()) {
        if (mode.text.equals(text)) {
          return mode;
        }
      }
      throw new IllegalArgumentException("no way to a fabric: '" + text + "'");
    }
  }
}
