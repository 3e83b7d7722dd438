package io.spillway.capacity.fluidstack;

import io.spillway.capacity.spi.AccountSettings;
import io.spillway.capacity.spi.CapacityProbe;
import io.spillway.capacity.spi.CapacityProvider;
import io.spillway.capacity.spi.EventNormalizer;
import io.spillway.capacity.spi.Facts;
import io.spillway.capacity.spi.FailureClassifier;
import io.spillway.scheduler.model.GpuModel;
import java.time.Duration;
import java.util.Map;

/** FluidStack: the door of this module. */
public final class FluidStackProvider implements CapacityProvider {
  /** Preemptible machines end without a word. */
  private static final Facts USUAL = Facts.of("fluidstack", Duration.ZERO);

  private final Facts facts;
  private final FailureClassifier classifier;

  public FluidStackProvider() {
    this(USUAL);
  }

  private FluidStackProvider(Facts facts) {
    this.facts = facts;
    this.classifier = facts.over(FluidStackFailures.classifier());
  }

  @Override
  public Facts facts() {
    return facts;
  }

  @Override
  public CapacityProvider with(Map<String, Duration> told) {
    return new FluidStackProvider(facts.with(told));
  }

  @Override
  public String name() {
    return "fluidstack";
  }

  @Override
  public Map<String, GpuModel> gpuAliases() {
    return FluidStackGpus.ALIASES;
  }

  @Override
  public CapacityProbe probe(AccountSettings account) {
    return new FluidStackProbe(account);
  }

  @Override
  public FailureClassifier classifier() {
    return classifier;
  }

  /**
   * No event is FluidStack's: it pushes none. A machine that ended shows only in the list of one's
   * machines; the agent of its cluster loses the node sooner.
   */
  @Override
  public EventNormalizer normalizer() {
    return (json, accounts, receivedAt) -> new EventNormalizer.NotMine();
  }

  @Override
  public WayIn wayIn() {
    return new WayIn(
        true,
        "a Kubernetes cluster with Spillway's agent that FluidStack's machines join by a script of"
            + " their image: FluidStack has no node groups");
  }
}
