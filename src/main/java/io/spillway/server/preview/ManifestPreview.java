package io.spillway.server.preview;

import io.smallrye.mutiny.Uni;
import io.spillway.policies.compute.ClusterCompute;
import io.spillway.scheduler.lifecycle.Attempt;
import io.spillway.scheduler.model.AttemptId;
import io.spillway.scheduler.model.ClusterName;
import io.spillway.scheduler.model.JobId;
import io.spillway.scheduler.model.NodeShape;
import io.spillway.scheduler.model.OfferingId;
import io.spillway.scheduler.policy.PolicySet;
import io.spillway.scheduler.state.View;
import io.spillway.server.jobs.JobReading;
import io.spillway.server.jobs.JobReading.Specified;
import io.spillway.server.jobs.JobSpecReader;
import io.spillway.server.kubernetes.ClusterAbility;
import io.spillway.server.kubernetes.ManifestTranslation;
import io.spillway.server.kubernetes.Placement;
import io.spillway.server.kubernetes.Translated;
import io.spillway.server.loop.StateReader;
import io.spillway.server.policy.ClusterDocuments;
import io.spillway.server.problem.ProblemType;
import io.spillway.server.problem.Refused;
import io.spillway.server.problem.RetryLater;
import io.spillway.server.security.Caller;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The objects that an agent would be sent for a job: of the attempt that it has on that offering,
 * or of its next one. The same translation as the gateway's, on what the same sources say.
 */
@ApplicationScoped
public class ManifestPreview {
  private static final Duration PATIENCE = Duration.ofSeconds(2);

  private final JobReading reading;
  private final StateReader state;
  private final ClusterDocuments documents;
  private final SaidByAgents said;

  ManifestPreview(
      JobReading reading, StateReader state, ClusterDocuments documents, SaidByAgents said) {
    this.reading = reading;
    this.state = state;
    this.documents = documents;
    this.said = said;
  }

  /** What the state knows of an offering. */
  private record Known(PolicySet policies, Optional<NodeShape> node, List<String> sick) {}

  /**
   * A Kubernetes List of the objects, in the order of their application.
   *
   * @param asked empty = where the job's newest attempt is
   */
  public Uni<String> of(Caller caller, JobId id, Optional<OfferingId> asked) {
    return reading
        .specified(caller, id)
        .chain(
            job -> {
              OfferingId offering = asked.or(() -> newest(job)).orElseThrow(() -> unplaced(id));
              return known(offering)
                  .chain(
                      known ->
                          Uni.combine()
                              .all()
                              .unis(
                                  Uni.createFrom()
                                      .completionStage(() -> documents.of(known.policies())),
                                  said.of(offering.cluster()))
                              .asTuple()
                              .map(
                                  found ->
                                      list(
                                          translated(
                                              id,
                                              job,
                                              offering,
                                              known,
                                              found.getItem1(),
                                              found.getItem2()))));
            });
  }

  private Uni<Known> known(OfferingId offering) {
    return Uni.createFrom()
        .completionStage(() -> state.read(view -> known(view, offering)))
        .ifNoItem()
        .after(PATIENCE)
        .failWith(
            () ->
                new RetryLater(
                    ProblemType.STORE_UNAVAILABLE, "the state is not there yet", PATIENCE))
        .map(
            found ->
                found.orElseThrow(
                    () ->
                        new Refused(
                            ProblemType.NOT_FOUND, "there is no offering " + offering.text())));
  }

  private static Optional<Known> known(View view, OfferingId offering) {
    if (view.catalogue().spec(offering).isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(
        new Known(
            view.policies(),
            view.shape(offering),
            view.inventory().nodes(offering.cluster()).values().stream()
                .filter(node -> !node.healthSigns().isEmpty())
                .map(node -> node.name())
                .toList()));
  }

  private static Translated translated(
      JobId id,
      Specified job,
      OfferingId offering,
      Known known,
      Map<ClusterName, ClusterCompute> clusters,
      Optional<ClusterAbility> ability) {
    ClusterCompute compute = clusters.get(offering.cluster());
    if (compute == null) {
      throw new RetryLater(
          ProblemType.STORE_UNAVAILABLE, "the policies in force cannot be read now", PATIENCE);
    }
    AttemptId attempt = attempt(id, job, offering);
    return ManifestTranslation.start(
        new Placement(
            attempt,
            JobSpecReader.stored(job.specJson()),
            offering,
            known.node(),
            Placement.Site.of(
                known.policies(),
                offering,
                compute,
                ability.orElseThrow(
                    () ->
                        new Refused(
                            ProblemType.STATE_CONFLICT,
                            "no agent that applies manifests ever said what "
                                + offering.cluster()
                                + " can run"))),
            known.sick(),
            earlier(job, attempt, clusters)));
  }

  /** The one that is there and lives, else the next. */
  private static AttemptId attempt(JobId id, Specified job, OfferingId offering) {
    return job.attempts().stream()
        .filter(one -> one.state().isLive() && one.placement().offering().equals(offering))
        .map(Attempt::id)
        .findFirst()
        .orElseGet(
            () ->
                new AttemptId(
                    id,
                    1 + job.attempts().stream().mapToInt(a -> a.id().number()).max().orElse(0)));
  }

  private static List<ClusterCompute> earlier(
      Specified job, AttemptId attempt, Map<ClusterName, ClusterCompute> clusters) {
    return job.attempts().stream()
        .filter(one -> one.id().number() < attempt.number() && one.runningSince().isPresent())
        .map(one -> one.placement().offering().cluster())
        .distinct()
        .sorted()
        .flatMap(name -> Optional.ofNullable(clusters.get(name)).stream())
        .toList();
  }

  private static Optional<OfferingId> newest(Specified job) {
    return job.attempts().isEmpty()
        ? Optional.empty()
        : Optional.of(job.attempts().getLast().placement().offering());
  }

  private static Refused unplaced(JobId id) {
    return Refused.field(
        ProblemType.INVALID_REQUEST,
        "offering",
        "job " + id + " was not placed yet: name the offering, as GET /offerings does");
  }

  private static String list(Translated translated) {
    return switch (translated) {
      case Translated.Manifests made ->
          "{\"apiVersion\":\"v1\",\"kind\":\"List\",\"items\":["
              + String.join(",", made.objects())
              + "]}";
      case Translated.Refused refused ->
          throw new Refused(ProblemType.UNTRANSLATABLE, refused.text());
    };
  }
}
