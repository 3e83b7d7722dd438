package io.spillway.server.kubernetes;

import java.util.zip.CRC32;

/**
 * Where the members of a PyTorch gang meet: torchrun's static rendezvous at rank 0, told by the
 * variables that are the defaults of its own options, so that a plain {@code torchrun train.py} is
 * enough. It compares no host names, which in the host's network are the nodes'.
 */
final class Rendezvous {
  private static final int PORT = 29_500;
  private static final int PORTS_ON_HOSTS = 400;
  private static final String INDEX = "batch.kubernetes.io/job-completion-index";

  private Rendezvous() {}

  /** In the host's network another gang's port may be taken on the same node. */
  static int port(PodDraft pod, Placement placement) {
    if (!pod.hostNetwork) {
      return PORT;
    }
    CRC32 crc = new CRC32();
    crc.update(placement.attempt().toString().getBytes(java.nio.charset.StandardCharsets.UTF_8));
    return PORT + (int) (crc.getValue() % PORTS_ON_HOSTS);
  }

  static void addTo(PodDraft pod, Placement placement, String master) {
    String port = Integer.toString(port(pod, placement));
    String nodes = Integer.toString(placement.nodes());
    pod.env("MASTER_ADDR", master);
    pod.env("MASTER_PORT", port);
    pod.env("PET_MASTER_ADDR", master);
    pod.env("PET_MASTER_PORT", port);
    pod.env("PET_NNODES", nodes);
    pod.env("PET_NPROC_PER_NODE", Integer.toString(placement.gpusPerNode()));
    // The Job's own variable is added after the others and could not be referred to.
    pod.envFromLabel("PET_NODE_RANK", INDEX);
    pod.envFromLabel("SPILLWAY_NODE_RANK", INDEX);
  }

  /** Members that find each other by themselves still want to know who they are. */
  static void rankTo(PodDraft pod) {
    pod.envFromLabel("SPILLWAY_NODE_RANK", INDEX);
  }
}
