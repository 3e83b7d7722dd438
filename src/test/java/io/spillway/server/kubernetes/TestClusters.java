package io.spillway.server.kubernetes;

import io.spillway.policies.Compilation.Compiled;
import io.spillway.policies.PolicyCompiler;
import io.spillway.policies.compute.ClusterCompute;
import io.spillway.policies.compute.ClusterKind;
import io.spillway.policies.source.SourceFile;
import io.spillway.scheduler.model.GpuModel;
import io.spillway.scheduler.model.NodeShape;
import io.spillway.scheduler.model.OfferingId;
import io.spillway.scheduler.policy.ClusterPolicy;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;

/** A cluster of each kind, from the policies in {@code src/test/resources/clusters}. */
record TestClusters(Compiled set, ClusterKind kind) {
  private static final Path FOLDER = Path.of("test/resources/clusters");
  static final String MPI = "kubeflow.org/v2beta1";
  static final String JOBSET = "jobset.x-k8s.io/v1alpha2";

  static TestClusters of(ClusterKind kind) {
    return of(kind, yaml -> yaml);
  }

  /** The same with its text changed. */
  static TestClusters of(ClusterKind kind, java.util.function.UnaryOperator<String> change) {
    try {
      String yaml = change.apply(Files.readString(FOLDER.resolve(kind.text() + ".yaml")));
      return switch (PolicyCompiler.compile(List.of(new SourceFile("cluster.yaml", yaml)))) {
        case Compiled set -> new TestClusters(set, kind);
        case io.spillway.policies.Compilation.Rejected bad ->
            throw new IllegalStateException(bad.findings().toString());
      };
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  ClusterPolicy policy() {
    return set.policies().clusters().values().iterator().next();
  }

  ClusterCompute compute() {
    return set.compute().get(policy().name());
  }

  Placement.Site site(OfferingId offering, ClusterAbility ability) {
    return new Placement.Site(
        policy(),
        compute(),
        offering.pool().map(pool -> set.policies().pools().get(pool)),
        ability);
  }

  /** The machine with a fabric, on demand or, where only that is there, in a pool. */
  OfferingId fast() {
    return offering(
        switch (kind) {
          case EKS -> "use2-az1~p5.48xlarge~on-demand";
          case AKS -> "eastus-1~Standard_ND96isr_H100_v5~on-demand";
          case GKE -> "us-central1-b~a3-ultragpu-8g~on-demand";
          case OKE -> "eu-frankfurt-1-ad-1~BM.GPU.H100.8~reserved~oci-h100-baremetal";
          case COREWEAVE -> "us-east-04~gd-8xh100ib-i128~on-demand";
          case K3S -> "us-west-1~gpu_8x_h100_sxm5~on-demand";
        });
  }

  /** On spot; rented nodes are on demand only. */
  OfferingId spot() {
    return kind == ClusterKind.OKE
        ? offering("eu-frankfurt-1-ad-1~VM.GPU.A10.2~spot")
        : OfferingId.parse(fast().text().replace("on-demand", "spot"));
  }

  OfferingId offering(String rest) {
    return OfferingId.parse(policy().name() + "~" + rest);
  }

  /** Eight of the model that the machine has. */
  Optional<NodeShape> node(OfferingId offering) {
    String model =
        offering.instanceType().contains("A10.2")
            ? "nvidia-a10-24gb-pcie"
            : kind == ClusterKind.GKE ? "nvidia-h200-141gb" : "nvidia-h100-80gb";
    return Optional.of(
        new NodeShape(new GpuModel(model), model.contains("a10") ? 2 : 8, 96, 1_000));
  }

  /** What such a cluster has, and what more the test says. */
  ClusterAbility ability(String... apiVersions) {
    SortedSet<String> served = names("v1", "batch/v1");
    served.addAll(Arrays.asList(apiVersions));
    return switch (kind) {
      case EKS -> {
        served.add("karpenter.sh/v1");
        yield able(served, names("s3.csi.aws.com"), names("vpc.amazonaws.com/efa"));
      }
      case AKS -> able(served, names("blob.csi.azure.com"), names("rdma/shared_ib"));
      case GKE -> {
        served.add("autoscaling.x-k8s.io/v1");
        yield able(served, names("gcsfuse.csi.storage.gke.io"), names());
      }
      case OKE -> able(served, names("s3.csi.aws.com", "fss.csi.oraclecloud.com"), names());
      case COREWEAVE -> able(served, names("s3.csi.aws.com"), names("rdma/ib"));
      case K3S -> able(served, names("s3.csi.aws.com"), names());
    };
  }

  private static ClusterAbility able(
      SortedSet<String> served, SortedSet<String> drivers, SortedSet<String> resources) {
    return new ClusterAbility(
        served, drivers, names("gpu", "spillway-placeholder"), resources, names("nvidia"));
  }

  static SortedSet<String> names(String... names) {
    return new TreeSet<>(Arrays.asList(names));
  }
}
