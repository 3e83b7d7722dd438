package io.spillway.server.kubernetes;

import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** The labels and annotations by which agents, metrics and logs know what is whose. */
final class Marks {
  static final String ATTEMPT = "spillway.io/attempt";
  static final String JOB = "spillway.io/job-id";
  static final String JOB_NAME = "spillway.io/job-name";
  static final String QUEUE = "spillway.io/queue";
  static final String CLUSTER = "spillway.io/cluster";
  static final String ROLE = "spillway.io/role";
  static final String PART = "spillway.io/part";
  static final String PODS = "spillway.io/pods";

  /**
   * Users' own labels lie in a domain of their own: a key of their choice could switch on a webhook
   * (an identity, a sidecar) or forge one of ours.
   */
  private static final String USERS = "labels.spillway.io/";

  private static final String MANAGED_BY = "app.kubernetes.io/managed-by";
  private static final String US = "spillway";

  private final Placement placement;
  private final Names names;

  Marks(Placement placement, Names names) {
    this.placement = placement;
    this.names = names;
  }

  /** Of an object of the attempt. */
  ObjectMeta object(String name, String role) {
    return object(name, role, Map.of());
  }

  ObjectMeta object(String name, String role, Map<String, String> annotations) {
    SortedMap<String, String> labels = ofAttempt();
    labels.put(ROLE, role);
    return meta(name, labels, annotations);
  }

  private ObjectMeta meta(
      String name, SortedMap<String, String> labels, Map<String, String> annotations) {
    return new ObjectMetaBuilder()
        .withName(name)
        .withNamespace(names.namespace())
        .withLabels(labels)
        .withAnnotations(annotations.isEmpty() ? null : new TreeMap<>(annotations))
        .build();
  }

  /** As {@link #object}, of an object without a namespace. */
  ObjectMeta clusterWide(String name, String role) {
    return new ObjectMetaBuilder(object(name, role)).withNamespace(null).build();
  }

  /** The one object whose end is the attempt's. */
  ObjectMeta workload(int pods) {
    return counted(names.base(), "workload", pods);
  }

  /** What keeps the nodes of the attempt until it starts. */
  ObjectMeta hold(int pods) {
    return counted(names.hold(), "hold", pods);
  }

  private ObjectMeta counted(String name, String role, int pods) {
    return object(name, role, Map.of(PODS, Integer.toString(pods)));
  }

  /** Of what attempts share: nothing of a single one, so that equal ones stay equal. */
  ObjectMeta shared(String name, Map<String, String> annotations) {
    SortedMap<String, String> labels = new TreeMap<>();
    labels.put(MANAGED_BY, US);
    labels.put(CLUSTER, placement.offering().cluster().value());
    labels.put(ROLE, "shared");
    return meta(name, labels, annotations);
  }

  /** Of a pod of the attempt. */
  SortedMap<String, String> pod(String part) {
    SortedMap<String, String> labels = ofAttempt();
    labels.put(PART, part);
    return labels;
  }

  private SortedMap<String, String> ofAttempt() {
    SortedMap<String, String> labels = new TreeMap<>();
    placement
        .job()
        .labels()
        .forEach(
            (key, value) -> {
              if (key.indexOf('/') < 0) {
                labels.put(USERS + key, value);
              }
            });
    labels.putAll(placement.compute().scheduling().labels());
    labels.put(MANAGED_BY, US);
    labels.put(ATTEMPT, placement.attempt().toString());
    labels.put(JOB, placement.attempt().job().value());
    labels.put(JOB_NAME, placement.job().name());
    labels.put(QUEUE, placement.queue().value());
    labels.put(CLUSTER, placement.offering().cluster().value());
    return labels;
  }
}
