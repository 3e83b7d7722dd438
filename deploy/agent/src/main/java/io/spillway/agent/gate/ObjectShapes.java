package io.spillway.agent.gate;

import com.fasterxml.jackson.databind.JsonNode;
import io.spillway.agent.kube.Kind;
import java.util.EnumMap;
import java.util.Map;

/** The shapes of whole objects, for one cluster's rules. */
final class ObjectShapes {
  private static final String NAME = "[a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?";
  private static final long MANY = 100_000;

  private final Map<Kind, Shape> shapes = new EnumMap<>(Kind.class);

  ObjectShapes(GateRules rules) {
    PodShape pods = new PodShape(rules);
    VolumeShape volumes = new VolumeShape(rules);
    shapes.put(Kind.JOB, object("spec", job(pods)));
    shapes.put(Kind.JOB_SET, object("spec", jobSet(pods)));
    shapes.put(Kind.MPI_JOB, object("spec", mpiJob(pods)));
    shapes.put(Kind.POD, object("spec", pods.spec()));
    shapes.put(Kind.POD_TEMPLATE, object("template", pods.template()));
    shapes.put(Kind.SERVICE, object("spec", service()));
    shapes.put(
        Kind.CONFIG_MAP,
        object("data", Shape.map(key -> key.matches("[-._a-zA-Z0-9]{1,253}"), Shape.text(1 << 20)))
            .may("immutable", Shape.flag()));
    shapes.put(Kind.VOLUME_CLAIM, object("spec", VolumeShape.claim()));
    shapes.put(Kind.VOLUME, object("spec", volumes.persistent()));
    shapes.put(Kind.PROVISIONING_REQUEST, object("spec", provisioningRequest()));
    shapes.put(
        Kind.SERVICE_ACCOUNT,
        header()
            .must("metadata", Metadata.ofServiceAccount())
            .and(
                (path, node) -> {
                  String name = node.path("metadata").path("name").asText();
                  if (!GateRules.names(rules.serviceAccounts(), name)) {
                    throw new RefusedException(path + " " + name + ", which is not allowed");
                  }
                }));
  }

  void check(Kind kind, JsonNode object) throws RefusedException {
    shapes.get(kind).check(kind.text(), object);
  }

  private static Shape.Fields header() {
    return Shape.fields().must("apiVersion", Shape.text(253)).must("kind", Shape.text(63));
  }

  private static Shape.Fields object(String field, Shape shape) {
    return header().must("metadata", Metadata.ofObject()).must(field, shape);
  }

  private static Shape.Fields job(PodShape pods) {
    Shape condition =
        Shape.fields()
            .must("type", Shape.text(316))
            .may("status", Shape.oneOf("True", "False", "Unknown"));
    Shape exitCodes =
        Shape.fields()
            .may("containerName", Shape.text(63))
            .must("operator", Shape.oneOf("In", "NotIn"))
            .must("values", Shape.list(Shape.number(0, 255), 255));
    Shape rule =
        Shape.fields()
            .must("action", Shape.oneOf("FailJob", "Ignore", "Count"))
            .may("onPodConditions", Shape.list(condition, 20))
            .may("onExitCodes", exitCodes);
    return Shape.fields()
        .must("template", pods.template())
        .may("completionMode", Shape.oneOf("Indexed", "NonIndexed"))
        .may("completions", Shape.number(1, MANY))
        .may("parallelism", Shape.number(1, MANY))
        .may("backoffLimit", Shape.number(0, Integer.MAX_VALUE))
        .may("activeDeadlineSeconds", Shape.number(1, Integer.MAX_VALUE))
        .may("ttlSecondsAfterFinished", Shape.number(0, Integer.MAX_VALUE))
        .may("podReplacementPolicy", Shape.oneOf("Failed", "TerminatingOrFailed"))
        .may("podFailurePolicy", Shape.fields().must("rules", Shape.list(rule, 20)))
        .may("suspend", Shape.flag());
  }

  private static Shape jobSet(PodShape pods) {
    Shape replicated =
        Shape.fields()
            .must("name", Shape.matching("[a-z]([-a-z0-9]{0,61}[a-z0-9])?"))
            .may("replicas", Shape.number(1, MANY))
            .must(
                "template",
                Shape.fields().may("metadata", Metadata.ofChild()).must("spec", job(pods)));
    return Shape.fields()
        .must("replicatedJobs", Shape.some(replicated, 8))
        // A gang that fails is the control plane's to start again, elsewhere perhaps.
        .may("failurePolicy", Shape.fields().may("maxRestarts", Shape.number(0, 0)))
        .may(
            "network",
            Shape.fields()
                .may("enableDNSHostnames", Shape.flag())
                .may("publishNotReadyAddresses", Shape.flag())
                .may("subdomain", Shape.matching(NAME)))
        .may("suspend", Shape.flag())
        .may("ttlSecondsAfterFinished", Shape.number(0, Integer.MAX_VALUE));
  }

  private static Shape mpiJob(PodShape pods) {
    Shape replica =
        Shape.fields()
            .may("replicas", Shape.number(0, MANY))
            .may("restartPolicy", Shape.oneOf("Never", "OnFailure"))
            .must("template", pods.template());
    return Shape.fields()
        .must("mpiReplicaSpecs", Shape.fields().must("Launcher", replica).may("Worker", replica))
        .may("slotsPerWorker", Shape.number(1, 1024))
        .may("launcherCreationPolicy", Shape.oneOf("AtStartup", "WaitForWorkersReady"))
        .may("mpiImplementation", Shape.oneOf("OpenMPI", "Intel", "MPICH"))
        .may("sshAuthMountPath", Shape.matching("/[A-Za-z0-9_./-]{1,253}"))
        .may("runLauncherAsWorker", Shape.flag())
        .may(
            "runPolicy",
            Shape.fields()
                .may("cleanPodPolicy", Shape.oneOf("Running", "All", "None"))
                .may("ttlSecondsAfterFinished", Shape.number(0, Integer.MAX_VALUE))
                .may("activeDeadlineSeconds", Shape.number(1, Integer.MAX_VALUE))
                .may("backoffLimit", Shape.number(0, Integer.MAX_VALUE))
                .may("suspend", Shape.flag()));
  }

  /** Headless: names for the gang's members, and no address that anybody else can be led to. */
  private static Shape service() {
    return Shape.fields()
        .must("clusterIP", Shape.oneOf("None"))
        .must("selector", Shape.map(key -> key.length() <= 316, Shape.text(63)))
        .may("publishNotReadyAddresses", Shape.flag())
        .may(
            "ports",
            Shape.list(
                Shape.fields()
                    .may("name", Shape.text(15))
                    .must("port", Shape.number(1, 65_535))
                    .may("targetPort", Shape.number(1, 65_535))
                    .may("protocol", Shape.oneOf("TCP", "UDP")),
                32));
  }

  private static Shape provisioningRequest() {
    return Shape.fields()
        .must("provisioningClassName", Shape.matching("[a-z0-9.-]{1,253}"))
        .may("parameters", Shape.map(key -> key.length() <= 100, Shape.text(255)))
        .must(
            "podSets",
            Shape.some(
                Shape.fields()
                    .must("count", Shape.number(1, MANY))
                    .must("podTemplateRef", Shape.fields().must("name", Shape.matching(NAME))),
                32));
  }
}
