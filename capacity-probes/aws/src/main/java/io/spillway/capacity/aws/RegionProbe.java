package io.spillway.capacity.aws;

import io.spillway.capacity.aws.RegionFacts.BlockForSale;
import io.spillway.capacity.aws.RegionFacts.Offer;
import io.spillway.capacity.aws.RegionFacts.Reservation;
import io.spillway.capacity.aws.RegionFacts.SpotPrice;
import io.spillway.capacity.aws.RegionFacts.TypeFacts;
import io.spillway.capacity.http.CallBudget;
import io.spillway.capacity.spi.AccountSettings;
import io.spillway.capacity.spi.CapacityProbe.Allowance;
import io.spillway.capacity.spi.ProbeException;
import io.spillway.scheduler.model.FailureClass;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import software.amazon.awssdk.services.ec2.Ec2AsyncClient;

/**
 * One account in one region. What changes by the minute is asked each time (spot prices, the
 * account's reservations: two calls); shapes, zones and offers four times a day; Capacity Blocks on
 * sale hourly, for types that policies name. A call that fails costs its part only; where nothing
 * answers the region failed. One run at a time.
 */
final class RegionProbe {
  private static final Duration SLOW = Duration.ofHours(6);
  private static final Duration BLOCKS = Duration.ofHours(1);
  private static final Duration BLOCKS_REFUSED = Duration.ofHours(24);

  /** First pause after throttling without a word on its length; doubled up to the longest. */
  private static final Duration FIRST_HOLD = Duration.ofSeconds(10);

  private static final Duration LONGEST_HOLD = Duration.ofMinutes(10);

  /**
   * Half of what EC2 grants to calls that describe: 100 at once, and 20 more each second, for each
   * account and region (EC2 documentation, API throttling). The rest is the account's other users'.
   */
  private static final int BURST = 50;

  private static final double PER_SECOND = 10;
  private static final Duration LONGEST_WAIT = Duration.ofSeconds(10);

  private final String account;
  private final String region;
  private final AwsZones zones;
  private final CallBudget budget;

  private Slow slow = new Slow(Instant.MIN, Set.of(), Map.of(), Set.of());
  private List<BlockForSale> blocks = List.of();
  private Set<String> blocksFor = Set.of();
  private boolean blocksRefused;
  private Instant blocksDue = Instant.MIN;
  private Instant held = Instant.MIN;
  private Duration hold = Duration.ZERO;

  RegionProbe(AccountSettings account, String region, AwsZones zones) {
    this.account = account.name();
    this.budget = CallBudget.of(account, BURST, PER_SECOND, LONGEST_WAIT);
    this.region = region;
    this.zones = zones;
  }

  /**
   * @param wanted instance types to observe
   * @param named those of them that policies name
   * @throws ProbeException when nothing was answered
   */
  RegionFacts ask(
      Ec2AsyncClient client, Set<String> wanted, Set<String> named, Instant now, Patience patience)
      throws ProbeException {
    if (now.isBefore(held)) {
      throw new ProbeException(
          FailureClass.THROTTLED,
          "throttled, asked again at " + held,
          Optional.of(Duration.between(now, held)),
          null);
    }
    return new Run(new Ec2Calls(client, budget, patience), wanted, named, now).facts();
  }

  /** What is left of this region's calls; any thread. */
  Allowance allowance() {
    return budget.allowance();
  }

  /** Facts that change a few times a year. */
  private record Slow(
      Instant at, Set<String> wanted, Map<String, TypeFacts> types, Set<Offer> offers) {}

  /** One run: what was answered, and what was not. */
  private final class Run {
    private final Ec2Calls calls;
    private final Set<String> wanted;
    private final Set<String> named;
    private final Instant now;
    private final List<String> warnings = new ArrayList<>();
    private Optional<ProbeException> first = Optional.empty();
    private boolean givenUp;
    private boolean answered;

    Run(Ec2Calls calls, Set<String> wanted, Set<String> named, Instant now) {
      this.calls = calls;
      this.wanted = wanted;
      this.named = named;
      this.now = now;
    }

    RegionFacts facts() throws ProbeException {
      refreshSlow();
      answered = false;
      UnaryOperator<String> zoneId = name -> zones.id(account, name).orElse(name);
      Set<String> known = known();
      Optional<List<SpotPrice>> spot =
          known.isEmpty()
              ? Optional.of(List.of())
              : part("DescribeSpotPriceHistory", () -> calls.spotPrices(known, now, zoneId));
      Optional<List<Reservation>> reservations =
          part("DescribeCapacityReservations", () -> calls.reservations(wanted, zoneId));
      refreshBlocks(known, zoneId);
      if (!answered && first.isPresent()) {
        throw first.get();
      }
      hold = givenUp ? hold : Duration.ZERO;
      return new RegionFacts(
          region,
          slow.types(),
          slow.offers(),
          spot,
          reservations.orElse(List.of()),
          blocks,
          warnings);
    }

    /** Types that the region has, by both its words where both were heard. */
    private Set<String> known() {
      Set<String> known = new TreeSet<>(slow.types().keySet());
      if (!slow.offers().isEmpty()) {
        known.removeIf(
            type -> slow.offers().stream().noneMatch(offer -> offer.instanceType().equals(type)));
      }
      return known;
    }

    private void refreshSlow() {
      if (slow.wanted().equals(wanted) && now.isBefore(slow.at().plus(SLOW))) {
        return;
      }
      part("DescribeAvailabilityZones", calls::zones)
          .ifPresent(ids -> ids.forEach((name, id) -> zones.learn(account, name, id)));
      Optional<Map<String, TypeFacts>> types =
          part("DescribeInstanceTypes", () -> calls.types(wanted));
      Optional<Set<Offer>> offers =
          part("DescribeInstanceTypeOfferings", () -> calls.offers(wanted));
      boolean whole = types.isPresent() && offers.isPresent();
      slow =
          new Slow(
              whole ? now : Instant.MIN,
              wanted,
              types.orElseGet(() -> slow.types().isEmpty() ? shipped() : slow.types()),
              offers.orElse(slow.offers()));
    }

    private void refreshBlocks(Set<String> known, UnaryOperator<String> zoneId) {
      Set<String> types = new TreeSet<>(known);
      types.removeIf(
          type ->
              !named.contains(type) || !slow.types().get(type).soldAs().contains("capacity-block"));
      if (now.isBefore(blocksDue) && (blocksRefused || types.equals(blocksFor))) {
        return;
      }
      List<BlockForSale> found = new ArrayList<>();
      blocksDue = now.plus(BLOCKS);
      blocksFor = types;
      blocksRefused = false;
      for (String type : types) {
        boolean had =
            part("DescribeCapacityBlockOfferings", () -> calls.blocks(type, now, zoneId))
                .map(found::addAll)
                .isPresent();
        if (!had) {
          blocksDue = now.plus(BLOCKS_REFUSED);
          blocksRefused = true;
          break;
        }
      }
      blocks = List.copyOf(found);
    }

    /** That call's answer; empty when it failed, or when an earlier failure ended the run. */
    private <T> Optional<T> part(String call, Supplier<T> ask) {
      if (givenUp) {
        return Optional.empty();
      }
      try {
        T answer = ask.get();
        answered = true;
        return Optional.of(answer);
      } catch (RuntimeException e) {
        AwsFaults.Fault fault = AwsFaults.of(call, e);
        ProbeException failure = fault.failure();
        first = first.or(() -> Optional.of(failure));
        warnings.add(region + ": " + failure.getMessage());
        givenUp = !fault.thatCallOnly();
        if (failure.failureClass() == FailureClass.THROTTLED) {
          holdOff(failure);
        }
        return Optional.empty();
      }
    }

    private void holdOff(ProbeException failure) {
      hold = hold.isZero() ? FIRST_HOLD : hold.multipliedBy(2);
      hold = hold.compareTo(LONGEST_HOLD) > 0 ? LONGEST_HOLD : hold;
      held = now.plus(failure.retryAfter().orElse(hold));
    }
  }

  /** Every way of sale: without EC2's word on it, only what has a price or an offer is shown. */
  private static Map<String, TypeFacts> shipped() {
    Map<String, TypeFacts> types = new HashMap<>();
    Catalogue catalogue = Catalogue.shipped();
    for (String type : catalogue.types()) {
      catalogue
          .shape(type)
          .ifPresent(shape -> types.put(type, new TypeFacts(shape, Set.of("on-demand", "spot"))));
    }
    return types;
  }
}
