package io.spillway.scheduler.cycle;

import io.spillway.scheduler.explain.Explainer;
import io.spillway.scheduler.explain.Explanation;
import io.spillway.scheduler.input.Inputs;
import io.spillway.scheduler.market.PriceSanity;
import io.spillway.scheduler.model.JobId;
import io.spillway.scheduler.placement.Placer;
import io.spillway.scheduler.plan.Plan;
import io.spillway.scheduler.state.Draft;
import io.spillway.scheduler.state.View;
import java.time.Instant;
import java.util.Optional;

/**
 * The decision core. Pure: the same state, inputs and cycle give the same events on every JVM. Not
 * thread-safe; called by the thread that owns the state.
 */
public final class SchedulerCore {
  private static final String VERSION = "4";

  private final CoreSettings settings;
  private final PriceSanity prices = new PriceSanity();
  private final Placer placer;
  private final Explainer explainer;

  public SchedulerCore(CoreSettings settings) {
    this.settings = settings;
    this.placer = new Placer(settings.blocks().prices());
    this.explainer = new Explainer(placer);
  }

  /**
   * Says what happened: turns each input into the events that it means and applies them to the
   * draft, in order; then works off due timers.
   */
  public void interpret(Inputs inputs, Draft draft, Cycle cycle) {
    new Interpretation(new Scene(settings, draft, cycle), prices).of(inputs);
  }

  /**
   * Says what to do. The view is unchanged afterwards: whoever wants the plan applies its events.
   */
  public Plan decide(View view, Cycle cycle) {
    Draft whatIf = view.draft();
    try {
      Decision decision = new Decision(whatIf);
      placer.place(whatIf, cycle, decision);
      return decision.plan(NextWake.of(whatIf, cycle, settings));
    } finally {
      whatIf.discard();
    }
  }

  /** Why the job stands where it stands; empty if it is not in memory. */
  public Optional<Explanation> explain(View view, JobId job, Instant now) {
    return view.job(job).map(known -> explainer.explain(view, known, now));
  }

  /** What journal rows carry: changes whenever decisions may. */
  public String version() {
    return VERSION + settings.text();
  }
}
