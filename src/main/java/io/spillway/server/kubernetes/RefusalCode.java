package io.spillway.server.kubernetes;

import io.spillway.scheduler.model.Ability;
import java.util.Optional;

/** Why a job cannot become objects of a cluster. Names are stable: they stand in explanations. */
public enum RefusalCode {
  /** The policy set in force does not name the cluster any more. */
  NO_POLICY,
  /** The namespace is no name that Kubernetes takes. */
  NAMESPACE,
  IDENTITY_NOT_GRANTED,
  VOLUME_NOT_GRANTED,
  WEIGHTS_NOT_GRANTED,
  SECRET_NOT_GRANTED,
  PULL_SECRET_NOT_GRANTED,
  /** The cluster does not serve MPIJob. */
  MPI_OPERATOR_MISSING(Ability.API_VERSIONS),
  RUNTIME_CLASS_MISSING(Ability.RUNTIME_CLASSES),
  PRIORITY_CLASS_MISSING(Ability.PRIORITY_CLASSES),
  /** RDMA is required and the offering has no fabric. */
  NO_FABRIC,
  /** Nobody told how pods of this machine reach the fabric. */
  FABRIC_UNKNOWN(Ability.RESOURCES),
  // How a fabric is reached, and so what must be allowed for it, depends on what nodes offer.
  PRIVILEGED_NOT_ALLOWED(Ability.RESOURCES),
  HOST_NETWORK_NOT_ALLOWED(Ability.RESOURCES),
  HOST_PATH_NOT_ALLOWED(Ability.RESOURCES),
  /** Its pods would see devices that are not theirs. */
  NEEDS_WHOLE_NODES(Ability.RESOURCES),
  CSI_DRIVER_MISSING(Ability.CSI_DRIVERS),
  /** Storage that only an identity, or the policy's word for the driver's own, opens. */
  STORAGE_NEEDS_IDENTITY,
  /** Something must be done in the container before the program, which an image alone cannot. */
  STORAGE_NEEDS_COMMAND,
  /** The source cannot be put into a mount option safely, or it is of another cloud. */
  STORAGE_SOURCE,
  /** Two mounts want one place. */
  STORAGE_PATH,
  /** An earlier attempt left its checkpoints where this cluster cannot read them. */
  CHECKPOINTS_OUT_OF_REACH;

  private final Optional<Ability> restsOn;

  RefusalCode() {
    this.restsOn = Optional.empty();
  }

  RefusalCode(Ability restsOn) {
    this.restsOn = Optional.of(restsOn);
  }

  /** What of the cluster has to change before it is worth asking again, beside the policies. */
  public Optional<Ability> restsOn() {
    return restsOn;
  }
}
