package io.spillway.server.board;

import static org.assertj.core.api.Assertions.assertThat;

import io.spillway.capacity.spi.CapacityProvider.WayIn;
import io.spillway.scheduler.event.ControlEvent.PolicyAdopted;
import io.spillway.scheduler.event.MarketEvent.BlockPlaced;
import io.spillway.scheduler.event.MarketEvent.ObservationAdopted;
import io.spillway.scheduler.market.Observation;
import io.spillway.scheduler.market.Observation.Availability;
import io.spillway.scheduler.model.BlockScope;
import io.spillway.scheduler.model.CapacityType;
import io.spillway.scheduler.model.ClusterName;
import io.spillway.scheduler.model.FailureClass;
import io.spillway.scheduler.model.GpuModel;
import io.spillway.scheduler.model.JobShape;
import io.spillway.scheduler.model.JobShape.Constraints;
import io.spillway.scheduler.model.MarketKey;
import io.spillway.scheduler.model.NodeShape;
import io.spillway.scheduler.model.Rdma;
import io.spillway.scheduler.model.Trust;
import io.spillway.scheduler.model.Usd;
import io.spillway.scheduler.model.UsdPerGpuHour;
import io.spillway.scheduler.policy.ClusterPolicy;
import io.spillway.scheduler.policy.PolicySet;
import io.spillway.scheduler.state.State;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class MarketBoardTest {
  private static final Instant NOW = Instant.parse("2026-11-30T12:00:00Z");
  private static final String EC2 = "eks-ohio~use2-az1~p5.48xlarge~spot";

  private final State state = new State();
  private Instant now = NOW;
  private Optional<Instant> lastSeen = Optional.empty();

  MarketBoardTest() {
    ClusterName name = new ClusterName("eks-ohio");
    ClusterPolicy cluster =
        new ClusterPolicy(
            name,
            "aws",
            "prod",
            "us-east-2",
            "spillway-{queue}",
            Duration.ofMinutes(30),
            List.of(
                new ClusterPolicy.Capacity(
                    "p5.48xlarge",
                    List.of(CapacityType.SPOT),
                    List.of("use2-az1"),
                    32,
                    Duration.ofMinutes(15),
                    Optional.empty())),
            ClusterPolicy.Access.NONE);
    state.apply(
        new PolicyAdopted(
            new PolicySet(
                "v1",
                Map.of(),
                PolicySet.EMPTY.priorityClasses(),
                Map.of(name, cluster),
                Map.of(),
                List.of()),
            NOW));
  }

  @Test
  void an_offering_shows_when_by_whom_and_how_surely_it_was_seen() {
    see(ec2("use2-az1"), "2.41", Availability.AVAILABLE, Trust.OFFERED, NOW.minusSeconds(600));

    OfferingAnswer line = line(EC2);

    assertThat(line.source()).contains("test prices");
    assertThat(line.usdPerNodeHour().orElseThrow()).isEqualByComparingTo("19.28");
    assertThat(line.trust()).contains("OFFERED");
    assertThat(line.observationAgeSeconds()).contains(600L);
    assertThat(line.priceUsableUntil()).contains(NOW.plusSeconds(3_000));
    assertThat(line.priceNotUsed()).isEmpty();
    assertThat(line.breaker()).contains("CLOSED");
    assertThat(line.notLaunchable()).isEmpty();
  }

  @Test
  void an_hour_of_a_node_costs_what_it_costs_however_odd_its_share_of_a_gpu() {
    see(
        ec2("use2-az1"),
        UsdPerGpuHour.ofNodeHour(new Usd(55_040_100), 8),
        Availability.AVAILABLE,
        Trust.OFFERED,
        NOW);

    OfferingAnswer line = line(EC2);

    assertThat(line.usdPerGpuHour().orElseThrow()).isEqualByComparingTo("6.8800");
    assertThat(line.usdPerNodeHour().orElseThrow()).isEqualByComparingTo("55.0401");
  }

  @Test
  void an_observation_is_as_old_as_the_last_round_that_saw_it_and_ages_with_the_clock() {
    see(ec2("use2-az1"), "2.41", Availability.AVAILABLE, Trust.OFFERED, NOW.minusSeconds(1_500));
    see(ec2("use2-az3"), "1.90", Availability.AVAILABLE, Trust.OFFERED, NOW.minusSeconds(1_500));
    lastSeen = Optional.of(NOW.minusSeconds(20));

    assertThat(line(EC2).observationAgeSeconds()).contains(20L);
    assertThat(unlaunchable("aws").observationAgeSeconds()).contains(20L);
    assertThat(line(EC2).priceAgeSeconds()).as("by its own word").contains(1_500L);

    now = NOW.plusSeconds(300);
    assertThat(line(EC2).observationAgeSeconds()).contains(320L);
    assertThat(line(EC2).observedAt()).contains(NOW.minusSeconds(20));
    assertThat(unlaunchable("aws").observationAgeSeconds()).contains(320L);
  }

  @Test
  void a_price_that_nothing_is_placed_by_says_why() {
    assertThat(line(EC2).priceNotUsed().orElseThrow().reason()).isEqualTo("NOT_OBSERVED");

    see(ec2("use2-az1"), "2.41", Availability.AVAILABLE, Trust.OFFERED, NOW.minusSeconds(3_700));
    assertThat(line(EC2).priceNotUsed().orElseThrow().reason()).isEqualTo("STALE_PRICE");

    see(ec2("use2-az1"), "2.41", Availability.UNKNOWN, Trust.FALLBACK, NOW);
    assertThat(line(EC2).priceNotUsed().orElseThrow().reason()).isEqualTo("TRUST_TOO_LOW");

    see(ec2("use2-az1"), "0.0001", Availability.AVAILABLE, Trust.OFFERED, NOW);
    assertThat(line(EC2).priceNotUsed().orElseThrow().reason()).isEqualTo("PRICE_QUARANTINED");
  }

  @Test
  void a_block_opens_the_breaker_until_its_time() {
    see(ec2("use2-az1"), "2.41", Availability.AVAILABLE, Trust.OFFERED, NOW);
    state.apply(
        new BlockPlaced(
            BlockScope.of(ec2("use2-az1")),
            FailureClass.NO_CAPACITY,
            "InsufficientInstanceCapacity",
            NOW,
            NOW.plusSeconds(180),
            0));

    OfferingAnswer line = line(EC2);

    assertThat(line.breaker()).contains("OPEN");
    assertThat(line.block().orElseThrow().until()).isEqualTo(NOW.plusSeconds(180));
    assertThat(line.block().orElseThrow().reason()).isEqualTo("InsufficientInstanceCapacity");
  }

  @Test
  void what_would_be_cheapest_but_cannot_be_launched_says_what_to_install() {
    see(ec2("use2-az1"), "2.41", Availability.AVAILABLE, Trust.OFFERED, NOW);
    see(ec2("use2-az3"), "1.90", Availability.AVAILABLE, Trust.OFFERED, NOW);
    see(small("north", CapacityType.SPOT), "0.99", Availability.AVAILABLE, Trust.OFFERED, NOW);

    OfferingAnswer otherZone = unlaunchable("aws");
    assertThat(otherZone.notLaunchable().orElseThrow().use())
        .isEqualTo(
            "add p5.48xlarge (spot, zone use2-az3) to the capacity of cluster eks-ohio"
                + " (account prod in us-east-2)");
    assertThat(otherZone.notLaunchable().orElseThrow().wouldBeCheapest()).isFalse();

    OfferingAnswer.NotLaunchable other = unlaunchable("smallcloud").notLaunchable().orElseThrow();
    assertThat(other.use())
        .isEqualTo(
            "add a Cluster with provider smallcloud and account main in north, install its agent"
                + " (POST /api/v1/clusters answers the helm line), and add 8H100 (spot, zone north)"
                + " to the capacity of it");
    assertThat(other.wayIn()).isEqualTo("a way into smallcloud");
    assertThat(other.wouldBeCheapest()).isTrue();
    assertThat(other.cheapestLaunchableUsdPerGpuHour().orElseThrow()).isEqualByComparingTo("2.41");
  }

  @Test
  void what_is_dearer_gone_odd_or_only_known_from_the_catalogue_would_not_be_cheapest() {
    see(ec2("use2-az1"), "2.41", Availability.AVAILABLE, Trust.OFFERED, NOW);
    record Case(String price, Availability availability, Trust trust) {}
    for (Case c :
        List.of(
            new Case("2.41", Availability.AVAILABLE, Trust.OFFERED),
            new Case("0.99", Availability.UNAVAILABLE, Trust.OFFERED),
            new Case("0.99", Availability.UNKNOWN, Trust.FALLBACK),
            new Case("0.0001", Availability.AVAILABLE, Trust.OFFERED))) {
      see(small("north", CapacityType.SPOT), c.price(), c.availability(), c.trust(), NOW);

      assertThat(unlaunchable("smallcloud").notLaunchable().orElseThrow().wouldBeCheapest())
          .as(c.toString())
          .isFalse();
    }
    assertThat(unlaunchable("smallcloud").oddPrice().orElseThrow()).contains("is outside");
  }

  @Test
  void with_nothing_launchable_of_a_model_the_cheapest_sold_is_still_named() {
    see(small("north", CapacityType.SPOT), "0.99", Availability.AVAILABLE, Trust.OFFERED, NOW);
    see(small("south", CapacityType.RESERVED), "1.50", Availability.AVAILABLE, Trust.OFFERED, NOW);

    List<OfferingAnswer> lines =
        lines().stream().filter(line -> line.provider().equals(Optional.of("smallcloud"))).toList();

    assertThat(lines.getFirst().notLaunchable().orElseThrow().wouldBeCheapest()).isTrue();
    assertThat(lines.getLast().notLaunchable().orElseThrow().wouldBeCheapest()).isFalse();
    assertThat(lines.getLast().notLaunchable().orElseThrow().use())
        .contains("as a Pool with reservationId res-1 of it");
  }

  @Test
  void a_job_is_told_what_is_sold_for_less_than_it_can_have_and_would_take_it() {
    see(ec2("use2-az1"), "2.41", Availability.AVAILABLE, Trust.OFFERED, NOW);
    see(ec2("use2-az3"), "1.90", Availability.AVAILABLE, Trust.OFFERED, NOW);
    see(small("north", CapacityType.SPOT), "0.99", Availability.AVAILABLE, Trust.OFFERED, NOW);

    assertThat(elsewhere(8, Constraints.NONE, Optional.of("2.41"))).containsExactly("0.99", "1.90");
    assertThat(elsewhere(8, Constraints.NONE, Optional.of("0.99"))).isEmpty();
    assertThat(elsewhere(8, Constraints.NONE, Optional.empty())).containsExactly("0.99", "1.90");
    assertThat(elsewhere(16, Constraints.NONE, Optional.empty())).isEmpty();
    assertThat(elsewhere(8, only(List.of("aws"), List.of(), "9"), Optional.empty()))
        .containsExactly("1.90");
    assertThat(elsewhere(8, only(List.of(), List.of("north"), "9"), Optional.empty()))
        .containsExactly("0.99");
    assertThat(elsewhere(8, only(List.of(), List.of(), "1.00"), Optional.empty()))
        .containsExactly("0.99");
  }

  private List<String> elsewhere(int gpus, Constraints constraints, Optional<String> than) {
    JobShape shape =
        new JobShape(
            1,
            gpus,
            List.of(new GpuModel("nvidia-h100-80gb")),
            0,
            0,
            Rdma.NONE,
            JobShape.Needs.NONE,
            constraints);
    return new MarketBoard(state, now, MarketBoardTest::wayIn, key -> lastSeen)
        .cheaperElsewhere(shape, than.map(UsdPerGpuHour::parse)).stream()
            .map(line -> line.usdPerGpuHour().orElseThrow().setScale(2).toPlainString())
            .toList();
  }

  private static Constraints only(List<String> providers, List<String> regions, String cap) {
    return new Constraints(
        providers, regions, List.of(), List.of(), Optional.of(UsdPerGpuHour.parse(cap)));
  }

  @Test
  void what_can_join_no_cluster_is_shown_for_its_price_and_promises_nothing() {
    see(containers(), "0.99", Availability.AVAILABLE, Trust.OFFERED, NOW);

    OfferingAnswer.NotLaunchable line = unlaunchable("containers").notLaunchable().orElseThrow();

    assertThat(line.use()).isEqualTo("nothing that can be installed makes it launchable");
    assertThat(line.wayIn()).isEqualTo("rents containers");
  }

  private static MarketKey containers() {
    return new MarketKey(
        "containers", "main", "US", "US-1", "8xH100", CapacityType.SPOT, Optional.empty());
  }

  private static WayIn wayIn(String provider) {
    return provider.equals("containers")
        ? new WayIn(false, "rents containers")
        : new WayIn(true, "a way into " + provider);
  }

  private List<OfferingAnswer> lines() {
    return new MarketBoard(state, now, MarketBoardTest::wayIn, key -> lastSeen).lines();
  }

  private OfferingAnswer line(String id) {
    return lines().stream()
        .filter(line -> line.id().equals(Optional.of(id)))
        .findFirst()
        .orElseThrow();
  }

  private OfferingAnswer unlaunchable(String provider) {
    return lines().stream()
        .filter(line -> !line.launchable() && line.provider().equals(Optional.of(provider)))
        .findFirst()
        .orElseThrow();
  }

  private void see(
      MarketKey key, String price, Availability availability, Trust trust, Instant at) {
    see(key, UsdPerGpuHour.parse(price), availability, trust, at);
  }

  private void see(
      MarketKey key, UsdPerGpuHour price, Availability availability, Trust trust, Instant at) {
    state.apply(
        new ObservationAdopted(
            new Observation(
                key,
                new NodeShape(new GpuModel("nvidia-h100-80gb"), 8, 192, 2048),
                Optional.of(price),
                Optional.empty(),
                availability,
                trust,
                at,
                at,
                "test prices")));
  }

  private static MarketKey ec2(String zone) {
    return new MarketKey(
        "aws", "prod", "us-east-2", zone, "p5.48xlarge", CapacityType.SPOT, Optional.empty());
  }

  private static MarketKey small(String region, CapacityType type) {
    return new MarketKey(
        "smallcloud",
        "main",
        region,
        region,
        "8H100",
        type,
        type == CapacityType.RESERVED ? Optional.of("res-1") : Optional.empty());
  }
}
