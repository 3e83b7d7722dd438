package io.spillway.agent.kube;

/**
 * One object of the cluster.
 *
 * @param namespace empty for a kind that has none
 */
public record ObjectRef(Kind kind, String namespace, String name) {
  @Override
  public String toString() {
    return kind.text() + " " + (namespace.isEmpty() ? "" : namespace + "/") + name;
  }
}
