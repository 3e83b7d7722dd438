/**
 * A real Kubernetes on loopback, and what is proven with it. {@link
 * io.spillway.verify.kube.KubeCluster} starts etcd, the API server, the controller manager and the
 * scheduler as processes; no machine stands behind it: {@link io.spillway.verify.kube.TestKubelet}
 * says of pods what a kubelet would say, and takes nodes away. What is tested (agent, charts,
 * manifests) sees nothing of that but the API. The programs come from {@code make verify-programs};
 * without them these tests are skipped by name.
 */
package io.spillway.verify.kube;
