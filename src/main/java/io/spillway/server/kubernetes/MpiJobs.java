package io.spillway.server.kubernetes;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.spillway.server.jobs.JobSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A gang whose launcher starts the members by ssh: MPIJob of {@code kubeflow.org/v2beta1}. The
 * job's command runs on the launcher, workers wait as sshd.
 */
final class MpiJobs {
  /** In the host's network port 22 is the node's own. */
  private static final int HOST_SSH_PORT = 2_222;

  private MpiJobs() {}

  static List<HasMetadata> objects(Placement placement, Pods pods, Marks marks)
      throws Untranslatable {
    if (!placement.ability().serves(ClusterAbility.MPI_JOB)) {
      throw new Untranslatable(
          RefusalCode.MPI_OPERATOR_MISSING,
          "the cluster does not serve "
              + ClusterAbility.MPI_JOB
              + " MPIJob: the MPI operator is not installed there");
    }
    PodDraft worker = pods.node("worker");
    PodDraft launcher = pods.launcher();
    if (worker.hostNetwork) {
      launcher.hostNetwork = true;
      launcher.env("OMPI_MCA_plm_rsh_args", "-p " + HOST_SSH_PORT + " -o ConnectionAttempts=10");
      // Open MPI 5 reads only this one.
      launcher.env("PRTE_MCA_plm_ssh_args", "-p " + HOST_SSH_PORT + " -o ConnectionAttempts=10");
    }
    GenericKubernetesResource job = new GenericKubernetesResource();
    job.setApiVersion(ClusterAbility.MPI_JOB);
    job.setKind("MPIJob");
    job.setMetadata(marks.workload(placement.nodes() + 1));
    job.setAdditionalProperty("spec", spec(placement, launcher, worker));
    return Jobs.together(launcher, job);
  }

  private static Map<String, Object> spec(Placement placement, PodDraft launcher, PodDraft worker) {
    JobSpec.Program program = placement.job().program();
    return Map.of(
        "slotsPerWorker",
        placement.gpusPerNode(),
        "launcherCreationPolicy",
        "WaitForWorkersReady",
        "mpiImplementation",
        "OpenMPI",
        "runPolicy",
        // Said although it is the documented default: the operator's code has another.
        Map.of(
            "cleanPodPolicy",
            "Running",
            "backoffLimit",
            0,
            "ttlSecondsAfterFinished",
            Jobs.KEPT_SECONDS),
        "mpiReplicaSpecs",
        Map.of(
            "Launcher",
            replica(1, PodWriter.program(launcher, program)),
            "Worker",
            replica(
                placement.nodes(),
                PodWriter.program(
                    worker,
                    new JobSpec.Program(
                        program.image(),
                        sshd(worker),
                        List.of(),
                        program.env(),
                        program.secrets(),
                        program.imagePullSecrets())))));
  }

  private static Map<String, Object> replica(int count, PodTemplateSpec template) {
    return Map.of("replicas", count, "restartPolicy", "Never", "template", template);
  }

  private static List<String> sshd(PodDraft worker) {
    List<String> command = new ArrayList<>(List.of("/usr/sbin/sshd", "-De"));
    if (worker.hostNetwork) {
      command.addAll(List.of("-p", Integer.toString(HOST_SSH_PORT)));
    }
    return command;
  }
}
