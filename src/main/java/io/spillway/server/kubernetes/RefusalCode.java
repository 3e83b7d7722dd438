package io.spillway.server.kubernetes;

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
  MPI_OPERATOR_MISSING,
  RUNTIME_CLASS_MISSING,
  PRIORITY_CLASS_MISSING,
  /** RDMA is required and the offering has no fabric. */
  NO_FABRIC,
  /** Nobody told how pods of this machine reach the fabric. */
  FABRIC_UNKNOWN,
  PRIVILEGED_NOT_ALLOWED,
  HOST_NETWORK_NOT_ALLOWED,
  HOST_PATH_NOT_ALLOWED,
  /** Its pods would see devices that are not theirs. */
  NEEDS_WHOLE_NODES,
  CSI_DRIVER_MISSING,
  /** Storage that only an identity, or the policy's word for the driver's own, opens. */
  STORAGE_NEEDS_IDENTITY,
  /** Something must be done in the container before the program, which an image alone cannot. */
  STORAGE_NEEDS_COMMAND,
  /** The source cannot be put into a mount option safely, or it is of another cloud. */
  STORAGE_SOURCE,
  /** Two mounts want one place. */
  STORAGE_PATH,
  /** An earlier attempt left its checkpoints where this cluster cannot read them. */
  CHECKPOINTS_OUT_OF_REACH
}
