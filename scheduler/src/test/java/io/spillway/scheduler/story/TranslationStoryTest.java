package io.spillway.scheduler.story;

import static io.spillway.scheduler.model.Ability.API_VERSIONS;
import static io.spillway.scheduler.model.Ability.RESOURCES;
import static io.spillway.scheduler.story.Land.BARE;
import static io.spillway.scheduler.story.Land.CHEAP;
import static io.spillway.scheduler.story.Land.DEAR;
import static io.spillway.scheduler.story.Land.METAL;
import static io.spillway.scheduler.story.Land.OHIO;
import static io.spillway.scheduler.story.Land.gang;
import static org.assertj.core.api.Assertions.assertThat;

import io.spillway.scheduler.event.AttemptEvent.LaunchUntranslatable;
import io.spillway.scheduler.event.ClusterEvent.AbilitiesChanged;
import io.spillway.scheduler.event.ControlEvent.InputIgnored;
import io.spillway.scheduler.explain.Explanation;
import io.spillway.scheduler.input.AgentInput.Cause;
import io.spillway.scheduler.input.CommandInput.PolicyOffered;
import io.spillway.scheduler.input.Input;
import io.spillway.scheduler.lifecycle.JobState;
import io.spillway.scheduler.lifecycle.Outcome;
import io.spillway.scheduler.lifecycle.Reason;
import io.spillway.scheduler.model.Ability;
import io.spillway.scheduler.plan.Evaluation.Candidate;
import io.spillway.scheduler.plan.ParkCause;
import io.spillway.scheduler.plan.RefusalReason;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Jobs that the server has no words for in a cluster, until the cluster or the policies change. */
class TranslationStoryTest {
  private static final String NO_OPERATOR = "MPI_OPERATOR_MISSING: no kubeflow.org/v2beta1";

  private World world;
  private Agent agent;

  @BeforeEach
  void bothClustersLackTheOperator() {
    begin(Land.usual().ladder(Land.pool()));
  }

  private void begin(Land land) {
    world = World.of(land);
    agent = world.agent();
    world.round(
        agent.able(OHIO, Map.of(API_VERSIONS, "plain", RESOURCES, "none")),
        agent.able(METAL, Map.of(API_VERSIONS, "plain", RESOURCES, "none")));
  }

  private Input withOperator(Ability... andAlso) {
    return agent.able(
        METAL,
        Map.of(
            API_VERSIONS,
            "with MPIJob",
            RESOURCES,
            andAlso.length == 0 ? "none" : "virtual functions"));
  }

  private void refusedAndParked() {
    world.round(world.submit("train", gang(1))).starts("train", BARE);
    world.round(agent.untranslatable("train", NO_OPERATOR, API_VERSIONS));
    world.round(agent.absent(world.attempt("train"))).job("train", "QUEUED").startsNothing();
  }

  private Candidate candidate() {
    Explanation why =
        world.core().explain(world.state(), world.id("train"), world.now()).orElseThrow();
    return why.candidates().stream()
        .filter(candidate -> candidate.offering().equals(BARE))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void a_job_parked_by_a_missing_operator_starts_in_the_decision_in_which_the_operator_is_there() {
    refusedAndParked();
    world.wait(Duration.ofHours(2)).startsNothing();
    world.round(withOperator()).starts("train", BARE).job("train", "LAUNCHING");
    assertThat(world.attempt("train").id().number()).isEqualTo(2);
  }

  @Test
  void a_new_policy_version_asks_again_what_was_refused_under_the_old_one() {
    refusedAndParked();
    world
        .round(new PolicyOffered(Land.usual().ladder(Land.pool()).version("other").policies()))
        .starts("train", BARE);
  }

  @Test
  void what_a_refusal_does_not_rest_on_may_change_as_often_as_it_likes() {
    refusedAndParked();
    world
        .round(agent.able(METAL, Map.of(API_VERSIONS, "plain", RESOURCES, "virtual functions")))
        .startsNothing();
    world
        .round(agent.able(OHIO, Map.of(API_VERSIONS, "with MPIJob", RESOURCES, "none")))
        .startsNothing();
    world.wait(Duration.ofHours(23)).startsNothing();
  }

  @Test
  void an_operator_that_goes_again_makes_the_refusal_right_again_without_asking() {
    refusedAndParked();
    world.round(withOperator()).starts("train", BARE);
    world.round(agent.able(METAL, Map.of(API_VERSIONS, "plain", RESOURCES, "none")));
    world.round(agent.running("train", "m-1"));
    world.round(agent.ended(world.attempt("train"), Cause.DELETED)).startsNothing();
    assertThat(candidate().refusal()).contains(RefusalReason.TRANSLATION_REFUSED);
  }

  @Test
  void what_an_agent_says_again_is_no_news() {
    world.round(agent.able(METAL, Map.of(RESOURCES, "none", API_VERSIONS, "plain"))).isQuiet();
    assertThat(world.round(withOperator()).only(AbilitiesChanged.class).cluster()).isEqualTo(METAL);
  }

  @Test
  void after_a_day_without_any_change_it_is_asked_again_all_the_same() {
    refusedAndParked();
    world.wait(Duration.ofHours(24)).starts("train", BARE);
  }

  @Test
  void the_explanation_says_what_has_to_change() {
    refusedAndParked();
    assertThat(candidate().refusal()).contains(RefusalReason.TRANSLATION_REFUSED);
    assertThat(candidate().detail())
        .isEqualTo("asked again when the API versions of cluster metal or the policies change");
    assertThat(candidate().until()).contains(world.now().plus(Duration.ofHours(24)));
    Explanation why =
        world.core().explain(world.state(), world.id("train"), world.now()).orElseThrow();
    assertThat(why.parked().orElseThrow().causes())
        .contains(new ParkCause(ParkCause.Kind.CLUSTER, "metal"))
        .contains(new ParkCause(ParkCause.Kind.POLICY, ""));
  }

  @Test
  void a_refusal_that_rests_on_the_policies_alone_says_so() {
    world.round(world.submit("train", gang(1)));
    world.round(agent.untranslatable("train", "IDENTITY_NOT_GRANTED: trainer"));
    world.round(agent.absent(world.attempt("train"))).job("train", "QUEUED");
    assertThat(candidate().detail()).isEqualTo("asked again when the policies change");
    world.round(withOperator(RESOURCES)).startsNothing();
  }

  @Test
  void a_launch_without_words_is_stopped_by_name_and_its_replacement_waits_for_the_answer() {
    begin(Land.usual());
    Instant since = world.now();
    world.round(world.submit("train", gang(1))).starts("train", CHEAP);
    Round refused =
        world
            .round(agent.untranslatable("train", NO_OPERATOR, API_VERSIONS))
            .job("train", "DRAINING", Reason.TRANSLATION_REFUSED)
            .attempt("train", 1, "ENDING")
            .holds("train", DEAR)
            .startsNothing();
    assertThat(refused.only(LaunchUntranslatable.class).words()).isEqualTo(NO_OPERATOR);
    world
        .round(agent.absent(world.attempt("train", 1)))
        .ended("train", 1, Outcome.REFUSED, Reason.TRANSLATION_REFUSED)
        .starts("train", DEAR);
    assertThat(((JobState.Launching) world.job("train").state()).waitingSince()).isEqualTo(since);
    assertThat(world.job("train").standing().refusals()).isZero();
    assertThat(world.state().block(Land.key(CHEAP), world.now())).isEmpty();
  }

  @Test
  void a_hold_without_words_is_let_go_and_another_place_is_held() {
    begin(Land.usual());
    world.round(world.submit("train", gang(1))).starts("train", CHEAP);
    world.round(agent.refused("train", Duration.ofMinutes(10))).holds("train", DEAR);
    world
        .round(agent.untranslatable("train", NO_OPERATOR, API_VERSIONS))
        .ended("train", 2, Outcome.DROPPED, Reason.TRANSLATION_REFUSED)
        .holds("train", BARE);
  }

  @Test
  void what_runs_already_is_not_taken_back_by_a_late_refusal() {
    world.round(world.submit("train", gang(1)));
    world.round(agent.running("train", "m-1"));
    world
        .round(agent.untranslatable("train", NO_OPERATOR, API_VERSIONS))
        .job("train", "RUNNING")
        .only(InputIgnored.class);
  }

  @Test
  void a_refusal_that_comes_after_the_change_is_asked_again_in_seconds() {
    world.round(world.submit("train", gang(1)));
    Input late = agent.untranslatable("train", NO_OPERATOR, API_VERSIONS);
    world.round(withOperator(), late).job("train", "DRAINING");
    world.round(agent.absent(world.attempt("train"))).startsNothing();
    assertThat(candidate().refusal()).contains(RefusalReason.EXCLUDED);
    world.later(Duration.ofSeconds(10)).round().starts("train", BARE);
  }

  @Test
  void a_restart_forgets_neither_the_abilities_nor_what_rests_on_them() {
    refusedAndParked();
    world.restart().round().startsNothing();
    assertThat(world.state().abilities(METAL).fingerprints()).containsEntry(API_VERSIONS, "plain");
    world.round(withOperator()).starts("train", BARE);
  }
}
