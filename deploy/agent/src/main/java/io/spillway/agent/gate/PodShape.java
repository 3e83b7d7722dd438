package io.spillway.agent.gate;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Set;

/** A pod's specification: what may be in it, and in it what only a cluster's rules allow. */
final class PodShape {
  private static final String NAME = "[a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?";
  private static final int DAY = 86_400;

  /** Taints that mean "not here", whoever asks. */
  private static final Set<String> NEVER_TOLERATED =
      Set.of(
          "karpenter.sh/unregistered",
          "karpenter.sh/disrupted",
          "node.coreweave.cloud/evict",
          "node.cloudprovider.kubernetes.io/uninitialized",
          "node.kubernetes.io/out-of-service");

  private final GateRules rules;

  PodShape(GateRules rules) {
    this.rules = rules;
  }

  /** With metadata, as in a Job. */
  Shape template() {
    return Shape.fields().must("metadata", Metadata.ofPod()).must("spec", spec());
  }

  Shape spec() {
    Shape.Fields fields =
        Shape.fields()
            .must("containers", Shape.some(container(), 8))
            .may("restartPolicy", Shape.oneOf("Never", "OnFailure"))
            .may("terminationGracePeriodSeconds", Shape.number(0, DAY))
            .may("activeDeadlineSeconds", Shape.number(1, 366L * DAY))
            .may("dnsPolicy", Shape.oneOf("ClusterFirst", "ClusterFirstWithHostNet"))
            .may("hostNetwork", Shape.onlyIf(rules.hostNetwork()))
            .may("hostPID", Shape.onlyIf(false))
            .may("hostIPC", Shape.onlyIf(false))
            .may("shareProcessNamespace", Shape.onlyIf(false))
            .may("subdomain", Shape.matching(NAME))
            .may("enableServiceLinks", Shape.flag())
            .may("automountServiceAccountToken", Shape.flag())
            .may("serviceAccountName", Shape.matching(NAME))
            .may("priorityClassName", named(rules.priorityClasses()))
            .may("runtimeClassName", named(rules.runtimeClasses()))
            .may(
                "imagePullSecrets",
                Shape.list(Shape.fields().must("name", Shape.matching(NAME)), 16))
            .may("nodeSelector", Shape.map(key -> key.length() <= 316, Shape.text(63)))
            .may("tolerations", Shape.list(toleration(), 64))
            .may("affinity", Affinities.shape())
            .may("securityContext", podSecurity())
            .may("volumes", Shape.list(new VolumeShape(rules).shape(), 64));
    return fields.and(this::identity);
  }

  /** Whoever runs as nobody in particular gets no token. */
  private void identity(String path, JsonNode spec) throws RefusedException {
    String account = spec.path("serviceAccountName").asText("default");
    boolean token = spec.path("automountServiceAccountToken").asBoolean(true);
    boolean nobody = account.equals("default");
    if (!nobody && !GateRules.names(rules.serviceAccounts(), account)) {
      throw new RefusedException(
          path + ".serviceAccountName = " + account + ", which is not allowed");
    }
    if (nobody && token) {
      throw new RefusedException(path + ": a token of the service account " + account);
    }
  }

  private static Shape named(List<String> globs) {
    return Shape.text(name -> GateRules.names(globs, name), "which is not allowed");
  }

  private static Shape toleration() {
    return Shape.fields()
        .must(
            "key",
            Shape.text(
                key ->
                    !key.isEmpty()
                        && key.length() <= 316
                        && !NEVER_TOLERATED.contains(key)
                        && !key.startsWith("node-role.kubernetes.io/"),
                "a taint that no job may tolerate"))
        .may("operator", Shape.oneOf("Exists", "Equal"))
        .may("value", Shape.text(63))
        .may("effect", Shape.oneOf("NoSchedule", "PreferNoSchedule", "NoExecute"))
        .may("tolerationSeconds", Shape.number(0, DAY));
  }

  private static Shape.Fields ids() {
    return Shape.fields()
        .may("runAsUser", Shape.number(0, Integer.MAX_VALUE))
        .may("runAsGroup", Shape.number(0, Integer.MAX_VALUE))
        .may("runAsNonRoot", Shape.flag())
        .may("seccompProfile", Shape.fields().must("type", Shape.oneOf("RuntimeDefault")));
  }

  private static Shape podSecurity() {
    return ids()
        .may("fsGroup", Shape.number(0, Integer.MAX_VALUE))
        .may("fsGroupChangePolicy", Shape.oneOf("OnRootMismatch", "Always"))
        .may("supplementalGroups", Shape.list(Shape.number(0, Integer.MAX_VALUE), 32));
  }

  private Shape container() {
    return Shape.fields()
        .must("name", Shape.matching("[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?"))
        .must("image", Images.from(rules.registries()))
        .may("imagePullPolicy", Shape.oneOf("Always", "IfNotPresent"))
        .may("command", Shape.list(Shape.text(131_072), 1024))
        .may("args", Shape.list(Shape.text(131_072), 1024))
        .may("workingDir", Shape.text(4096))
        .may("env", Shape.list(variable(), 2048))
        .may("ports", Shape.list(port(), 32))
        .may("resources", resources())
        .may("securityContext", containerSecurity())
        .may("terminationMessagePolicy", Shape.oneOf("File", "FallbackToLogsOnError"))
        .may(
            "volumeMounts",
            Shape.list(
                Shape.fields()
                    .must("name", Shape.matching(NAME))
                    .must("mountPath", Shape.text(4096))
                    .may("readOnly", Shape.flag()),
                64))
        .may(
            "volumeDevices",
            Shape.list(
                Shape.fields()
                    .must("name", Shape.matching(NAME))
                    .must("devicePath", Shape.text(4096)),
                64));
  }

  private static Shape variable() {
    Shape optional = Shape.flag();
    return Shape.fields()
        .must("name", Shape.matching("[-._a-zA-Z][-._a-zA-Z0-9]{0,255}"))
        .may("value", Shape.text(131_072))
        .may(
            "valueFrom",
            Shape.fields()
                .may(
                    "fieldRef",
                    Shape.fields()
                        .may("apiVersion", Shape.oneOf("v1"))
                        .must(
                            "fieldPath",
                            Shape.matching(
                                "metadata\\.(name|namespace|uid|(labels|annotations)\\['[-A-Za-z0-9_./]+'\\])"
                                    + "|spec\\.nodeName|status\\.(podIP|podIPs|hostIP)")))
                .may(
                    "secretKeyRef",
                    Shape.fields()
                        .must("name", Shape.matching(NAME))
                        .must("key", Shape.matching("[-._a-zA-Z0-9]{1,253}"))
                        .may("optional", optional)));
  }

  /** No port of the machine. */
  private static Shape port() {
    return Shape.fields()
        .may("name", Shape.text(15))
        .must("containerPort", Shape.number(1, 65_535))
        .may("protocol", Shape.oneOf("TCP", "UDP"));
  }

  private static Shape resources() {
    Shape amounts =
        Shape.map(
            PodShape::resource,
            (path, node) -> {
              if (!node.isIntegralNumber()
                  && !(node.isTextual()
                      && node.asText().matches("[0-9.]{1,20}([EPTGMkm]i?|Ki)?"))) {
                throw new RefusedException(path + ", which is no amount");
              }
            });
    return Shape.fields().may("limits", amounts).may("requests", amounts);
  }

  /** Others are devices that nobody has looked at. */
  private static boolean resource(String name) {
    return name.matches(
        "cpu|memory|ephemeral-storage|hugepages-(2Mi|1Gi)|(nvidia|amd)\\.com/gpu|rdma/[a-z0-9_]+"
            + "|nvidia\\.com/rdma-vf|vpc\\.amazonaws\\.com/efa");
  }

  private Shape containerSecurity() {
    Shape added =
        rules.privileged()
            ? Shape.matching("[A-Z_]{3,32}")
            // RDMA pins memory; everything else reaches beyond the container.
            : Shape.oneOf("IPC_LOCK");
    return ids()
        .may("privileged", Shape.onlyIf(rules.privileged()))
        .may("allowPrivilegeEscalation", Shape.flag())
        .may("readOnlyRootFilesystem", Shape.flag())
        .may(
            "capabilities",
            Shape.fields()
                .may("add", Shape.list(added, 16))
                .may("drop", Shape.list(Shape.matching("[A-Z_]{3,32}"), 64)));
  }
}
