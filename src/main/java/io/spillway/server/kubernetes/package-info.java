/**
 * A job, an offering and a cluster's policy document, as Kubernetes objects: a pure function whose
 * answer is the same byte for byte every time. A pod is built up part by part (scheduling, devices,
 * fabric, storage, identity), each part a small class that adds what it knows to a {@link
 * io.spillway.server.kubernetes.PodDraft}; then one object of the job's framework is put around it.
 * What a user wrote ends in the container's own fields and nowhere else: privileges, host paths,
 * service accounts and node labels come from the policy alone. What cannot be is refused with a
 * code; the refusal becomes one of the launch. What agents find in the objects stands in the README
 * of {@code deploy/protocol}.
 */
package io.spillway.server.kubernetes;
