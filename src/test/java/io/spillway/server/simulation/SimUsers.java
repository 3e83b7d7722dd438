package io.spillway.server.simulation;

import io.spillway.scheduler.input.CommandInput;
import io.spillway.scheduler.input.CommandInput.JobVerb;
import io.spillway.scheduler.input.Input;
import io.spillway.scheduler.lifecycle.Attempt;
import io.spillway.scheduler.lifecycle.Job;
import io.spillway.scheduler.lifecycle.JobState;
import io.spillway.scheduler.lifecycle.Reason;
import io.spillway.scheduler.model.ClusterName;
import io.spillway.scheduler.model.GpuModel;
import io.spillway.scheduler.model.JobId;
import io.spillway.scheduler.model.JobOrder;
import io.spillway.scheduler.model.JobShape;
import io.spillway.scheduler.model.PoolName;
import io.spillway.scheduler.model.QueueName;
import io.spillway.scheduler.model.Rdma;
import io.spillway.scheduler.state.State;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;

/** Users and operators: they submit, change their minds, pause and cordon. */
final class SimUsers {
  private static final List<String> CLASSES = List.of("low", "normal", "normal", "urgent");

  private static final Set<Reason> LOST =
      EnumSet.of(Reason.INTERRUPTED, Reason.MAINTENANCE, Reason.INSTANCE_LOST, Reason.NODE_LOST);

  private final RandomGenerator random;
  private final Set<PlantedBug> bugs;
  private final Oracle oracle;
  private final List<JobId> jobs = new ArrayList<>();
  private int policies = 1;

  SimUsers(RandomGenerator random, Set<PlantedBug> bugs, Oracle oracle) {
    this.random = random;
    this.bugs = bugs;
    this.oracle = oracle;
  }

  void submit(Consumer<Input> inbox) {
    JobId id = new JobId(String.format("01%024d", jobs.size() + 1));
    String wanted = CLASSES.get(random.nextInt(CLASSES.size()));
    String written =
        bugs.contains(PlantedBug.PRIORITY_LOST) && wanted.equals("urgent") ? "low" : wanted;
    int nodes = random.nextInt(4) == 0 ? 2 : 1;
    JobShape shape =
        new JobShape(
            nodes,
            random.nextInt(3) == 0 ? 4 : 8,
            List.of(new GpuModel("nvidia-h100-80gb")),
            0,
            0,
            Rdma.NONE,
            JobShape.Needs.NONE,
            JobShape.Constraints.NONE);
    JobOrder order =
        new JobOrder(
            "job",
            new QueueName(SimMarket.QUEUES.get(random.nextInt(SimMarket.QUEUES.size()))),
            written,
            true,
            shape,
            random.nextBoolean() ? Optional.of(Duration.ofSeconds(30)) : Optional.empty(),
            random.nextInt(5) == 0 ? Optional.of(Duration.ofSeconds(90)) : Optional.empty(),
            random.nextInt(6) == 0 ? Optional.of(Duration.ofSeconds(60)) : Optional.empty());
    jobs.add(id);
    oracle.accepted(id, wanted);
    inbox.accept(new CommandInput.JobSubmitted(id, order));
  }

  void changeMinds(Consumer<Input> inbox, State state) {
    if (jobs.isEmpty()) {
      return;
    }
    JobId job = jobs.get(random.nextInt(jobs.size()));
    switch (random.nextInt(19)) {
      case 0 -> command(inbox, job, JobVerb.CANCEL);
      case 1 -> command(inbox, oneThatIs("HELD", state).orElse(job), JobVerb.CANCEL);
      case 2, 3 -> command(inbox, oneThatIs("QUEUED", state).orElse(job), JobVerb.HOLD);
      case 14, 15, 16, 17, 18 -> command(inbox, oneThatFellBack(state).orElse(job), JobVerb.HOLD);
      case 4 -> command(inbox, job, JobVerb.RELEASE);
      case 5, 6 -> command(inbox, oneThatIs("HELD", state).orElse(job), JobVerb.RELEASE);
      case 7 -> command(inbox, job, JobVerb.REQUEUE);
      case 8 -> command(inbox, oneThatIs("DRAINING", state).orElse(job), JobVerb.CANCEL);
      case 9 -> stopAttempt(inbox, state);
      case 10 -> {
        String wanted = CLASSES.get(random.nextInt(CLASSES.size()));
        boolean open = state.job(job).isPresent();
        inbox.accept(
            new CommandInput.JobPatched(job, Optional.of(wanted), Optional.of(Map.of("a", "b"))));
        if (open) {
          oracle.note("patched " + job + " to " + wanted);
        }
      }
      default -> operate(inbox);
    }
  }

  /** Users look before they ask; what they see may be old when it is taken. */
  private Optional<JobId> oneThatIs(String label, State state) {
    return one(state.jobs().stream().filter(job -> job.state().label().equals(label)));
  }

  /** One that waits anew because its machines went away. */
  private Optional<JobId> oneThatFellBack(State state) {
    return one(
        state.jobs().stream()
            .filter(
                job ->
                    job.state() instanceof JobState.Queued waits && LOST.contains(waits.reason())));
  }

  private Optional<JobId> one(Stream<Job> jobsFound) {
    List<JobId> found = jobsFound.map(Job::id).toList();
    return found.isEmpty()
        ? Optional.empty()
        : Optional.of(found.get(random.nextInt(found.size())));
  }

  private static void command(Consumer<Input> inbox, JobId job, JobVerb verb) {
    inbox.accept(new CommandInput.JobCommanded(job, verb));
  }

  private void stopAttempt(Consumer<Input> inbox, State state) {
    List<Attempt> attempts = state.attempts();
    if (!attempts.isEmpty()) {
      inbox.accept(
          new CommandInput.AttemptStopRequested(
              attempts.get(random.nextInt(attempts.size())).id()));
    }
  }

  private void operate(Consumer<Input> inbox) {
    boolean on = random.nextInt(3) == 0;
    inbox.accept(
        switch (random.nextInt(5)) {
          case 0 -> new CommandInput.QueuePauseSet(new QueueName("nlp"), on);
          case 1 -> new CommandInput.SystemPauseSet(on && random.nextBoolean());
          case 2 -> new CommandInput.PoolCordonSet(new PoolName("bare-metal"), on);
          case 3 -> new CommandInput.ClusterCordonSet(new ClusterName("eks"), on);
          default -> new CommandInput.PolicyOffered(SimMarket.policies(++policies));
        });
  }

  /** Everything that keeps jobs from being placed is lifted. */
  void calm(Consumer<Input> inbox) {
    inbox.accept(new CommandInput.QueuePauseSet(new QueueName("nlp"), false));
    inbox.accept(new CommandInput.SystemPauseSet(false));
    inbox.accept(new CommandInput.PoolCordonSet(new PoolName("bare-metal"), false));
    inbox.accept(new CommandInput.ClusterCordonSet(new ClusterName("eks"), false));
  }

  static Instant start() {
    return Instant.parse("2026-11-30T10:00:00Z");
  }
}
