/**
 * The compute plane's agent. It stands in a Kubernetes cluster, or beside one with a kubeconfig,
 * opens one stream to the control plane, tells what the cluster has and how attempts fare, and
 * applies what it is told to start, if its own gate lets it in. The cluster is its only store.
 * Everything it knows lives on one thread ({@code time}); calls to the API server run beside it.
 * Two replicas may run; a Lease says which acts ({@code lead}), and what acts is a {@code Tenure}.
 */
package io.spillway.agent;
