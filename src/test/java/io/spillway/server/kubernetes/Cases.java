package io.spillway.server.kubernetes;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.spillway.policies.compute.ClusterKind;
import io.spillway.scheduler.model.OfferingId;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.function.Consumer;

/**
 * What the golden manifests hold: every kind of cluster with every framework, with and without
 * RDMA, with every kind of storage, with and without an identity; and what stands beside that
 * cross.
 */
final class Cases {
  private final ClusterKind kind;
  private final TestClusters cluster;
  private final List<Case> cases = new ArrayList<>();

  /**
   * One translation.
   *
   * @param hold whether it is the hold's, not the start's
   */
  record Case(ClusterKind kind, String name, Placement placement, boolean hold) {
    Translated translated() {
      return hold ? ManifestTranslation.hold(placement) : ManifestTranslation.start(placement);
    }

    @Override
    public String toString() {
      return kind.text() + "/" + name;
    }
  }

  private enum Framework {
    SINGLE("single"),
    DDP("ddp"),
    JOBSET("ddp-jobset"),
    MPI("mpi");

    private final String text;

    Framework(String text) {
      this.text = text;
    }
  }

  private Cases(ClusterKind kind) {
    this.kind = kind;
    this.cluster = TestClusters.of(kind);
  }

  static List<Case> of(ClusterKind kind) {
    Cases cases = new Cases(kind);
    cases.cross();
    cases.beside();
    return cases.cases;
  }

  static List<Case> all() {
    List<Case> all = new ArrayList<>();
    for (ClusterKind kind : ClusterKind.values()) {
      all.addAll(of(kind));
    }
    return all;
  }

  private void cross() {
    List<String> fabrics =
        kind == ClusterKind.OKE ? List.of("tcp", "rdma", "sr-iov") : List.of("tcp", "rdma");
    for (Framework framework : Framework.values()) {
      for (String fabric : fabrics) {
        for (String storage : List.of("none", "files", "bucket")) {
          for (boolean identity : new boolean[] {false, true}) {
            if (identity || !(kind == ClusterKind.GKE && storage.equals("bucket"))) {
              one(framework, fabric, storage, identity);
            }
          }
        }
      }
    }
  }

  private void one(Framework framework, String fabric, String storage, boolean identity) {
    ClusterAbility ability = ability(framework);
    if (fabric.equals("sr-iov")) {
      ability = with(ability, "nvidia.com/rdma-vf");
    }
    add(
        framework.text + "-" + fabric + "-" + storage + (identity ? "-identity" : "-anonymous"),
        cluster.fast(),
        ability,
        job -> {
          framework(job, framework);
          TestJobs.rdma(job, fabric.equals("tcp") ? "none" : "required");
          storage(job, storage);
          if (identity) {
            job.put("identity", "trainer");
          }
        });
  }

  /** What the cross does not show. */
  private void beside() {
    ClusterAbility plain = cluster.ability();
    add("deepspeed", cluster.fast(), plain, job -> job.put("framework", "deepspeed"));
    add(
        "secrets",
        cluster.fast(),
        plain,
        job -> {
          job.withArray("secrets")
              .addObject()
              .put("env", "HF_TOKEN")
              .put("secret", "hf")
              .put("key", "token");
          job.withArray("imagePullSecrets").add("regcred");
        });
    hold("hold", plain, job -> {});
    hold("hold-rdma", plain, job -> TestJobs.rdma(job, "required"));
    if (kind != ClusterKind.K3S && kind != ClusterKind.OKE) {
      add("spot", cluster.spot(), plain, job -> {});
    }
    Placement sick = placement(cluster.fast(), plain, job -> {});
    cases.add(
        new Case(
            kind,
            "quarantine",
            new Placement(
                sick.attempt(),
                sick.job(),
                sick.offering(),
                sick.node(),
                sick.site(),
                List.of("gpu-9", "gpu-3"),
                List.of()),
            false));
    ofKind(plain);
  }

  private void ofKind(ClusterAbility plain) {
    switch (kind) {
      case EKS -> {
        add(
            "reserved",
            cluster.offering("use2-az2~p5.48xlarge~reserved~ec2-p5-reserved"),
            plain,
            job -> TestJobs.rdma(job, "required"));
        add(
            "s3-of-the-job",
            cluster.fast(),
            plain,
            job -> {
              job.put("identity", "trainer");
              TestJobs.mount(job, "/data")
                  .putObject("s3")
                  .put("bucket", "datasets")
                  .put("prefix", "v2/")
                  .put("region", "us-east-2")
                  .put("readOnly", false);
            });
      }
      case AKS -> {
        add(
            "rdma-by-sr-iov-plugin",
            cluster.fast(),
            new ClusterAbility(
                plain.apiVersions(),
                plain.csiDrivers(),
                plain.priorityClasses(),
                TestClusters.names("rdma/ib"),
                plain.runtimeClasses()),
            job -> TestJobs.rdma(job, "required"));
        add(
            "blob-by-identity",
            cluster.fast(),
            plain,
            job -> {
              job.put("identity", "trainer");
              TestJobs.mount(job, "/lake").put("volume", "private-lake");
            });
      }
      case OKE -> {
        add("spot", cluster.spot(), plain, job -> small(job));
        add(
            "weights-on-block-volume",
            cluster.fast(),
            plain,
            job -> {
              TestJobs.rdma(job, "required");
              TestJobs.mount(job, "/weights").put("weights", "block");
            });
        add(
            "weights-on-nvme",
            cluster.fast(),
            plain,
            job -> TestJobs.mount(job, "/weights").put("weights", "cache"));
      }
      case GKE, COREWEAVE, K3S ->
          add(
              "three-alone",
              cluster.fast(),
              plain,
              job -> {
                job.put("framework", "single");
                ((ObjectNode) job.path("resources")).put("nodes", 3);
              });
    }
  }

  static void small(ObjectNode job) {
    ObjectNode resources = (ObjectNode) job.path("resources");
    resources.put("gpusPerNode", 2).put("cpusPerNode", 8).put("memoryGiBPerNode", 60);
    resources.putArray("gpu").add("nvidia-a10-24gb-pcie");
  }

  private static void framework(ObjectNode job, Framework framework) {
    switch (framework) {
      case SINGLE -> {
        job.put("framework", "single");
        ((ObjectNode) job.path("resources")).put("nodes", 1);
      }
      case DDP, JOBSET -> {}
      case MPI -> {
        job.put("framework", "mpi");
        job.putArray("command").add("mpirun").add("-np").add("16").add("all_reduce_perf");
      }
    }
  }

  private static void storage(ObjectNode job, String storage) {
    switch (storage) {
      case "files" -> {
        TestJobs.mount(job, "/ckpt").put("volume", "ckpt");
        TestJobs.mount(job, "/weights").put("weights", "llama");
      }
      case "bucket" -> TestJobs.mount(job, "/lake").put("volume", "lake");
      default -> {}
    }
  }

  private ClusterAbility ability(Framework framework) {
    return switch (framework) {
      case SINGLE, DDP -> cluster.ability();
      case JOBSET -> cluster.ability(TestClusters.JOBSET);
      case MPI -> cluster.ability(TestClusters.MPI);
    };
  }

  private static ClusterAbility with(ClusterAbility ability, String resource) {
    TreeSet<String> resources = new TreeSet<>(ability.resources());
    resources.add(resource);
    return new ClusterAbility(
        ability.apiVersions(),
        ability.csiDrivers(),
        ability.priorityClasses(),
        resources,
        ability.runtimeClasses());
  }

  private Placement placement(
      OfferingId offering, ClusterAbility ability, Consumer<ObjectNode> change) {
    return Objects.placement(cluster, offering, ability, TestJobs.job(change));
  }

  private void add(
      String name, OfferingId offering, ClusterAbility ability, Consumer<ObjectNode> change) {
    cases.add(new Case(kind, name, placement(offering, ability, change), false));
  }

  private void hold(String name, ClusterAbility ability, Consumer<ObjectNode> change) {
    cases.add(new Case(kind, name, placement(cluster.fast(), ability, change), true));
  }
}
