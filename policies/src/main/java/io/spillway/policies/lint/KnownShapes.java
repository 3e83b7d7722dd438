package io.spillway.policies.lint;

import io.spillway.scheduler.model.GpuModel;
import io.spillway.scheduler.model.NodeShape;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * GPUs of instance types that are commonly reserved, as their providers' pages say (November 2026).
 * Only for sums over pools; a type that is not here is not summed. At run time shapes come from
 * observations and reported nodes.
 */
final class KnownShapes {
  private static final Map<String, NodeShape> SHAPES = shapes();

  private KnownShapes() {}

  static Optional<NodeShape> of(String instanceType) {
    return Optional.ofNullable(SHAPES.get(instanceType));
  }

  private static Map<String, NodeShape> shapes() {
    Map<String, NodeShape> shapes = new TreeMap<>();
    shapes.put("p4d.24xlarge", eight("nvidia-a100-40gb"));
    shapes.put("p4de.24xlarge", eight("nvidia-a100-80gb"));
    shapes.put("p5.48xlarge", eight("nvidia-h100-80gb"));
    shapes.put("p5e.48xlarge", eight("nvidia-h200-141gb"));
    shapes.put("p5en.48xlarge", eight("nvidia-h200-141gb"));
    shapes.put("a2-ultragpu-8g", eight("nvidia-a100-80gb"));
    shapes.put("a3-highgpu-8g", eight("nvidia-h100-80gb"));
    shapes.put("a3-megagpu-8g", eight("nvidia-h100-80gb"));
    shapes.put("a3-ultragpu-8g", eight("nvidia-h200-141gb"));
    shapes.put("Standard_ND96isr_H100_v5", eight("nvidia-h100-80gb"));
    shapes.put("Standard_ND96isr_H200_v5", eight("nvidia-h200-141gb"));
    shapes.put("BM.GPU4.8", eight("nvidia-a100-40gb"));
    shapes.put("BM.GPU.A100-v2.8", eight("nvidia-a100-80gb"));
    shapes.put("BM.GPU.H100.8", eight("nvidia-h100-80gb"));
    shapes.put("BM.GPU.H200.8", eight("nvidia-h200-141gb"));
    shapes.put("gpu-h100-sxm_8gpu-128vcpu-1600gb", eight("nvidia-h100-80gb"));
    shapes.put("gpu-h200-sxm_8gpu-128vcpu-1600gb", eight("nvidia-h200-141gb"));
    shapes.put("h100-80gb-sxm-ib.8x", eight("nvidia-h100-80gb"));
    shapes.put("h200-141gb-sxm-ib.8x", eight("nvidia-h200-141gb"));
    shapes.put("gd-8xh100ib-i128", eight("nvidia-h100-80gb"));
    shapes.put("gd-8xh200ib-i128", eight("nvidia-h200-141gb"));
    return Map.copyOf(shapes);
  }

  private static NodeShape eight(String gpu) {
    return new NodeShape(new GpuModel(gpu), 8, 0, 0);
  }
}
