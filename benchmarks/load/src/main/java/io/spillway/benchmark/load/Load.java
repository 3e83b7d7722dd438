package io.spillway.benchmark.load;

import java.util.Locale;

/**
 * A job to submit.
 *
 * @param kind for figures by kind
 * @param nodes of one GPU each
 * @param runSeconds from the agent's start
 * @param priorityClass empty = the queue's default
 */
record Load(String kind, String queue, int nodes, double runSeconds, String priorityClass) {
  Load(String kind, String queue, double runSeconds) {
    this(kind, queue, 1, runSeconds, "");
  }

  /** Of names and numbers that need no escaping. */
  String json() {
    return "{\"name\":\""
        + kind
        + "\",\"queue\":\""
        + queue
        + '"'
        + (priorityClass.isEmpty() ? "" : ",\"priorityClass\":\"" + priorityClass + '"')
        + ",\"image\":\"registry.example/load:1\",\"env\":{\"SIM_RUN_SECONDS\":\""
        + String.format(Locale.ROOT, "%.3f", runSeconds)
        + "\"},\"resources\":{\"nodes\":"
        + nodes
        + ",\"gpusPerNode\":1,\"gpu\":[\""
        + Policies.GPU
        + "\"]}}";
  }
}
