package io.spillway.capacity.simulated.agent;

import io.spillway.capacity.simulated.cloud.Instance;
import io.spillway.scheduler.model.NodeShape;

/** One node and what of it is taken. Mutable; only from the timeline. */
final class Node {
  final String name;
  final Instance instance;
  final NodeShape shape;

  /** Empty = started by the autoscaler. */
  final String pool;

  final String fabricType;
  final String fabricName;
  private int free;
  private boolean cordoned;
  private long claims;

  Node(String name, Instance instance, NodeShape shape, String pool, Fabric fabric) {
    this.name = name;
    this.instance = instance;
    this.shape = shape;
    this.pool = pool;
    this.fabricType = fabric.type;
    this.fabricName = fabric.name;
    this.free = shape.gpus();
  }

  /** A fabric's type and name; empty = none. */
  record Fabric(String type, String name) {}

  boolean ready() {
    return !cordoned;
  }

  void cordon() {
    cordoned = true;
  }

  /** Members of that many GPUs that still fit. */
  int room(int gpus) {
    return cordoned ? 0 : free / gpus;
  }

  int free() {
    return free;
  }

  void claim(int gpus) {
    free -= gpus;
    claims++;
  }

  void letGo(int gpus) {
    free += gpus;
  }

  boolean idle() {
    return free == shape.gpus();
  }

  /** Rises with each claim, so that a timer can see whether the node was used meanwhile. */
  long claims() {
    return claims;
  }
}
