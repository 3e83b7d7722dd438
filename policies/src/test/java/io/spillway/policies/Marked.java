package io.spillway.policies;

import io.spillway.policies.source.SourceFile;
import java.util.List;

/**
 * A file with one marked place: {@code «} stands before the character that a finding must point at.
 */
record Marked(SourceFile file, int line, int column) {
  /** A cluster, a pool and a queue that are fine, for others to refer to. */
  static final SourceFile BASE =
      new SourceFile(
          "a-base.yaml",
          """
          apiVersion: spillway.io/v1beta1
          kind: Cluster
          metadata: {name: eks-ohio}
          spec:
            provider: aws
            region: us-east-2
            capacity: [{instanceType: p5.48xlarge, capacityTypes: [spot, on-demand], zones: [use2-az1], maxNodes: 4}]
          ---
          apiVersion: spillway.io/v1beta1
          kind: Pool
          metadata: {name: ec2-p5}
          spec: {cluster: eks-ohio, instanceType: p5.48xlarge, zone: use2-az1, nodes: 2, pricePerNodeHour: 55.04, accounting: Metered}
          ---
          apiVersion: spillway.io/v1beta1
          kind: Queue
          metadata: {name: base}
          spec: {placement: {ladder: [{name: any}]}}
          """);

  static Marked yaml(String text) {
    return of("bad.yaml", text);
  }

  static Marked json(String text) {
    return of("bad.json", text);
  }

  private static Marked of(String name, String text) {
    int at = text.indexOf('«');
    if (at < 0) {
      throw new IllegalArgumentException("no place is marked in: " + text);
    }
    String before = text.substring(0, at);
    return new Marked(
        new SourceFile(name, text.replace("«", "")),
        (int) before.chars().filter(c -> c == '\n').count() + 1,
        at - before.lastIndexOf('\n'));
  }

  /** A queue with that spec, which is indented by two. */
  static Marked queue(String spec) {
    return yaml(
        "apiVersion: spillway.io/v1beta1\nkind: Queue\nmetadata: {name: research}\nspec:\n"
            + spec.indent(2));
  }

  /** A queue with a ladder that is fine and more of a spec. */
  static Marked queueWith(String more) {
    return queue("placement: {ladder: [{name: any}]}\n" + more);
  }

  static Marked cluster(String spec) {
    return yaml(
        "apiVersion: spillway.io/v1beta1\nkind: Cluster\nmetadata: {name: gke}\nspec:\n"
            + spec.indent(2));
  }

  /** A metered pool with more of a spec. */
  static Marked pool(String more) {
    return yaml(
        """
        apiVersion: spillway.io/v1beta1
        kind: Pool
        metadata: {name: extra}
        spec:
          cluster: eks-ohio
          instanceType: p5.48xlarge
          accounting: Metered
        """
            + more.indent(2));
  }

  List<SourceFile> withBase() {
    return List.of(BASE, file);
  }
}
