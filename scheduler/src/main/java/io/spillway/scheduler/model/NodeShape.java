package io.spillway.scheduler.model;

/**
 * What one node of an instance type has.
 *
 * @param gpus GPUs of a node, at least 1
 * @param cpus virtual CPUs; 0 when not known
 * @param memoryGiB main memory; 0 when not known
 */
public record NodeShape(GpuModel gpu, int gpus, int cpus, int memoryGiB) {
  public NodeShape {
    if (gpus < 1 || cpus < 0 || memoryGiB < 0) {
      throw new IllegalArgumentException("no such node: " + gpus + " GPUs, " + cpus + " CPUs");
    }
  }
}
