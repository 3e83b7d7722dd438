package io.spillway.server.kubernetes;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.spillway.server.jobs.JobSpec.Framework;
import io.spillway.server.jobs.JobSpec.Launcher;
import java.util.List;
import java.util.Optional;

/**
 * The objects of an attempt. Pure: equal placements give equal bytes, on every replica and for
 * ever, so that a command that is sent again changes nothing. Thread-safe.
 */
public final class ManifestTranslation {
  private ManifestTranslation() {}

  /** What runs the job. */
  public static Translated start(Placement placement) {
    return translated(placement, ManifestTranslation::workload);
  }

  /** What keeps its nodes until it starts. */
  public static Translated hold(Placement placement) {
    return translated(
        placement,
        (held, names, marks) -> {
          // What could not be started is not worth holding nodes for.
          workload(held, names, marks);
          return Holds.objects(held, new Pods(held, names, marks), names, marks);
        });
  }

  private interface Objects {
    List<HasMetadata> of(Placement placement, Names names, Marks marks) throws Untranslatable;
  }

  private static Translated translated(Placement placement, Objects objects) {
    try {
      Names names = Names.of(placement);
      Marks marks = new Marks(placement, names);
      return new Translated.Manifests(
          objects.of(placement, names, marks).stream().map(CanonicalJson::of).toList(),
          GraceTimes.seconds(placement));
    } catch (Untranslatable refused) {
      return new Translated.Refused(refused.code(), refused.getMessage());
    }
  }

  private static List<HasMetadata> workload(Placement placement, Names names, Marks marks)
      throws Untranslatable {
    Pods pods = new Pods(placement, names, marks);
    Framework framework = placement.job().launch().framework();
    if (framework == Framework.MPI || mpiLauncher(placement)) {
      return MpiJobs.objects(placement, pods, marks);
    }
    PodDraft pod = pods.node("member");
    return framework == Framework.SINGLE
        ? alone(placement, marks, pod)
        : gang(placement, names, marks, pod);
  }

  private static boolean mpiLauncher(Placement placement) {
    return placement.job().launch().launcher() == Launcher.MPI;
  }

  /** Members that need no rendezvous; of several each still has its number and its name. */
  private static List<HasMetadata> alone(Placement placement, Marks marks, PodDraft pod) {
    Rendezvous.rankTo(pod);
    HasMetadata job =
        Jobs.job(marks, template(placement, pod, Optional.empty()), placement.nodes());
    return Jobs.together(pod, job);
  }

  private static List<HasMetadata> gang(
      Placement placement, Names names, Marks marks, PodDraft pod) {
    if (placement.ability().serves(ClusterAbility.JOBSET)) {
      Rendezvous.addTo(pod, placement, names.masterOfJobSet());
      PodTemplateSpec template = template(placement, pod, Optional.empty());
      return Jobs.together(pod, JobSets.jobSet(marks, template, placement.nodes()));
    }
    Rendezvous.addTo(pod, placement, names.master());
    PodTemplateSpec template = template(placement, pod, Optional.of(names.base()));
    return Jobs.together(
        pod,
        Jobs.service(names, marks, Rendezvous.port(pod, placement)),
        Jobs.job(marks, template, placement.nodes()));
  }

  private static PodTemplateSpec template(
      Placement placement, PodDraft pod, Optional<String> subdomain) {
    PodTemplateSpec template = PodWriter.program(pod, placement.job().program());
    subdomain.ifPresent(template.getSpec()::setSubdomain);
    return template;
  }
}
