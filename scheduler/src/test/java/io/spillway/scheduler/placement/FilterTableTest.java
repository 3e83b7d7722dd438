package io.spillway.scheduler.placement;

import static io.spillway.scheduler.model.CapacityType.ON_DEMAND;
import static io.spillway.scheduler.model.CapacityType.SPOT;
import static org.assertj.core.api.Assertions.assertThat;

import io.spillway.scheduler.launch.LaunchWindow;
import io.spillway.scheduler.model.ClusterName;
import io.spillway.scheduler.model.GpuModel;
import io.spillway.scheduler.model.JobShape;
import io.spillway.scheduler.model.NodeShape;
import io.spillway.scheduler.model.PoolName;
import io.spillway.scheduler.model.QueueName;
import io.spillway.scheduler.model.Rdma;
import io.spillway.scheduler.plan.RefusalReason;
import io.spillway.scheduler.policy.ClusterPolicy;
import io.spillway.scheduler.policy.PolicySet;
import io.spillway.scheduler.policy.Rung;
import io.spillway.scheduler.state.State;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** One row for each static filter, and for the arithmetic of rooms and windows. */
class FilterTableTest {
  private static final ClusterPolicy EAST =
      new ClusterPolicy(
          new ClusterName("east"),
          "aws",
          "prod",
          "us-east-2",
          "x",
          Duration.ofMinutes(30),
          List.of(Given.capacity(4, List.of("a"), SPOT)),
          new ClusterPolicy.Access(
              Map.of("trainer", granted("research")),
              Map.of("ckpt", granted("nlp")),
              Map.of("llama", granted("research")),
              Map.of("hf", granted("research"))));

  private static SortedSet<QueueName> granted(String queue) {
    return new TreeSet<>(List.of(new QueueName(queue)));
  }

  private static Offering spot() {
    return offerings(EAST, List.of()).getFirst();
  }

  private static List<Offering> offerings(
      ClusterPolicy cluster, List<io.spillway.scheduler.policy.PoolPolicy> pools) {
    PolicySet policies =
        Given.policies(
            List.of(Given.queue(Given.RESEARCH, Given.rung("spot", SPOT))),
            List.of(cluster),
            pools);
    State state = new State();
    state.apply(new io.spillway.scheduler.event.ControlEvent.PolicyAdopted(policies, World.START));
    return Offerings.of(policies, state.catalogue(), Map.of()).all();
  }

  private static Optional<RefusalReason> verdict(JobShape shape) {
    return verdict(shape, Optional.of(Given.H100_NODE));
  }

  private static Optional<RefusalReason> verdict(JobShape shape, Optional<NodeShape> node) {
    return new ShapeFilter(shape, Given.RESEARCH).verdict(spot(), node, EAST);
  }

  private static JobShape shape(int nodes, int gpus, int cpus, int memory, Rdma rdma) {
    return new JobShape(
        nodes,
        gpus,
        List.of(Given.H100),
        cpus,
        memory,
        rdma,
        JobShape.Needs.NONE,
        JobShape.Constraints.NONE);
  }

  private static JobShape needing(JobShape.Needs needs) {
    return new JobShape(
        1, 8, List.of(Given.H100), 0, 0, Rdma.NONE, needs, JobShape.Constraints.NONE);
  }

  private static JobShape within(JobShape.Constraints constraints) {
    return new JobShape(
        1, 8, List.of(Given.H100), 0, 0, Rdma.NONE, JobShape.Needs.NONE, constraints);
  }

  @Test
  void a_shape_that_fits_exactly_is_not_refused() {
    assertThat(verdict(shape(4, 8, 192, 2_048, Rdma.NONE))).isEmpty();
    assertThat(verdict(shape(8, 4, 0, 0, Rdma.PREFERRED))).isEmpty();
  }

  @Test
  void each_lack_of_size_has_its_reason() {
    assertThat(verdict(shape(5, 8, 0, 0, Rdma.NONE))).contains(RefusalReason.GANG_TOO_LARGE);
    assertThat(verdict(shape(1, 9, 0, 0, Rdma.NONE))).contains(RefusalReason.NODE_TOO_SMALL);
    assertThat(verdict(shape(1, 8, 193, 0, Rdma.NONE))).contains(RefusalReason.NODE_TOO_SMALL);
    assertThat(verdict(shape(1, 8, 0, 2_049, Rdma.NONE))).contains(RefusalReason.NODE_TOO_SMALL);
    assertThat(verdict(shape(1, 8, 0, 0, Rdma.REQUIRED))).contains(RefusalReason.NO_FABRIC);
    assertThat(verdict(Given.shape(1, 8), Optional.empty())).contains(RefusalReason.NO_SHAPE);
    assertThat(
            verdict(
                Given.shape(1, 8),
                Optional.of(new NodeShape(new GpuModel("nvidia-l4-24gb-pcie"), 8, 0, 0))))
        .contains(RefusalReason.GPU_MODEL);
  }

  @Test
  void what_a_node_does_not_tell_refuses_nothing() {
    assertThat(
            verdict(
                shape(1, 8, 500, 9_999, Rdma.NONE),
                Optional.of(new NodeShape(Given.H100, 8, 0, 0))))
        .isEmpty();
  }

  @Test
  void what_the_cluster_does_not_grant_the_queue_is_refused_by_its_kind() {
    List<String> none = List.of();
    assertThat(
            verdict(
                needing(
                    new JobShape.Needs(
                        Optional.of("trainer"), none, List.of("llama"), List.of("hf")))))
        .isEmpty();
    assertThat(verdict(needing(new JobShape.Needs(Optional.of("root"), none, none, none))))
        .contains(RefusalReason.IDENTITY_NOT_GRANTED);
    assertThat(verdict(needing(new JobShape.Needs(Optional.empty(), List.of("ckpt"), none, none))))
        .contains(RefusalReason.VOLUME_NOT_GRANTED);
    assertThat(verdict(needing(new JobShape.Needs(Optional.empty(), none, List.of("x"), none))))
        .contains(RefusalReason.WEIGHTS_NOT_GRANTED);
    assertThat(verdict(needing(new JobShape.Needs(Optional.empty(), none, none, List.of("x")))))
        .contains(RefusalReason.SECRET_NOT_GRANTED);
  }

  @Test
  void the_users_own_limits_refuse_by_their_kind() {
    List<String> none = List.of();
    assertThat(
            verdict(
                within(
                    new JobShape.Constraints(
                        List.of("aws"),
                        List.of("us-east-2"),
                        List.of(new ClusterName("east")),
                        List.of(),
                        Optional.empty()))))
        .isEmpty();
    assertThat(
            verdict(
                within(
                    new JobShape.Constraints(
                        List.of("gcp"), none, List.of(), List.of(), Optional.empty()))))
        .contains(RefusalReason.CONSTRAINT_PROVIDER);
    assertThat(
            verdict(
                within(
                    new JobShape.Constraints(
                        none, List.of("eu"), List.of(), List.of(), Optional.empty()))))
        .contains(RefusalReason.CONSTRAINT_REGION);
    assertThat(
            verdict(
                within(
                    new JobShape.Constraints(
                        none, none, List.of(new ClusterName("w")), List.of(), Optional.empty()))))
        .contains(RefusalReason.CONSTRAINT_CLUSTER);
    assertThat(
            verdict(
                within(
                    new JobShape.Constraints(
                        none, none, List.of(), List.of(new PoolName("p")), Optional.empty()))))
        .contains(RefusalReason.CONSTRAINT_POOL);
  }

  @Test
  void a_rung_refuses_by_the_part_that_does_not_name_the_offering() {
    assertThat(RungFilter.verdict(spot(), EAST, Given.rung("spot", SPOT))).isEmpty();
    assertThat(RungFilter.verdict(spot(), EAST, Given.rung("od", ON_DEMAND)))
        .contains(RefusalReason.RUNG_CAPACITY_TYPE);
    assertThat(RungFilter.verdict(spot(), EAST, Given.pools("p", "owned")))
        .contains(RefusalReason.RUNG_POOL);
    assertThat(RungFilter.verdict(spot(), EAST, rung(List.of("gcp"), List.of(), List.of())))
        .contains(RefusalReason.RUNG_PROVIDER);
    assertThat(RungFilter.verdict(spot(), EAST, rung(List.of("aws"), List.of("eu"), List.of())))
        .contains(RefusalReason.RUNG_REGION);
    assertThat(
            RungFilter.verdict(
                spot(),
                EAST,
                rung(List.of("aws"), List.of("us-east-2"), List.of(new ClusterName("w")))))
        .contains(RefusalReason.RUNG_CLUSTER);
  }

  private static Rung rung(
      List<String> providers, List<String> regions, List<ClusterName> clusters) {
    return new Rung(
        "r",
        List.of(),
        providers,
        regions,
        clusters,
        List.of(),
        Optional.empty(),
        Optional.empty());
  }

  @Test
  void members_share_nodes_only_with_their_like() {
    NodeShape node = Given.H100_NODE;
    assertThat(NodeRoom.nodes(node, 8, 3)).isEqualTo(3);
    assertThat(NodeRoom.nodes(node, 4, 3)).isEqualTo(2);
    assertThat(NodeRoom.nodes(node, 3, 3)).isEqualTo(2);
    assertThat(NodeRoom.nodes(node, 16, 1)).isEqualTo(1);
    assertThat(NodeRoom.used(node, Map.of(4, 3, 8, 1))).isEqualTo(3);
    assertThat(NodeRoom.more(node, Map.of(4, 1), Given.shape(1, 4))).isZero();
    assertThat(NodeRoom.more(node, Map.of(4, 2), Given.shape(1, 4))).isEqualTo(1);
    assertThat(NodeRoom.more(node, Map.of(), Given.shape(2, 8))).isEqualTo(2);
  }

  @Test
  void a_launch_window_is_what_is_left_of_it_unless_nodes_stand_ready() {
    assertThat(LaunchWindow.left(4, 1, false, false)).isEqualTo(3);
    assertThat(LaunchWindow.left(1, 2, false, false)).isZero();
    assertThat(LaunchWindow.left(1, 1, true, false)).isEqualTo(Integer.MAX_VALUE);
    assertThat(LaunchWindow.left(1, 1, true, true)).isZero();
  }

  @Test
  void ready_nodes_bound_a_pool_and_alike_pools_share_them_in_order() {
    PolicySet policies =
        Given.policies(
            List.of(),
            List.of(Given.cluster("west")),
            List.of(Given.pool("alpha", "west", 2), Given.pool("beta", "west", 2)));
    State state = new State();
    state.apply(new io.spillway.scheduler.event.ControlEvent.PolicyAdopted(policies, World.START));
    NodeCensus census =
        NodeCensus.of(
            List.of(
                Given.node("n1", true),
                Given.node("n2", true),
                Given.node("n3", true),
                Given.node("n4", false)));
    List<Offering> offerings =
        Offerings.of(policies, state.catalogue(), Map.of(new ClusterName("west"), census)).all();

    assertThat(offerings).extracting(Offering::present).containsExactly(2, 1);
    assertThat(offerings).allMatch(Offering::standing);
    assertThat(Offerings.of(policies, state.catalogue(), Map.of()).all())
        .extracting(Offering::present)
        .containsExactly(2, 2);
  }

  @Test
  void nodes_of_no_entry_and_no_pool_are_an_offering_of_their_own() {
    PolicySet policies = Given.policies(List.of(), List.of(Given.cluster("west")), List.of());
    State state = new State();
    state.apply(new io.spillway.scheduler.event.ControlEvent.PolicyAdopted(policies, World.START));
    NodeCensus census = NodeCensus.of(List.of(Given.node("n1", true), Given.node("n2", false)));

    Offerings offerings =
        Offerings.of(policies, state.catalogue(), Map.of(new ClusterName("west"), census));

    assertThat(offerings.size()).isEqualTo(1);
    assertThat(offerings.all().getFirst().present()).isEqualTo(1);
    assertThat(offerings.all().getFirst().spec().maxNodes()).isEqualTo(2);
    assertThat(offerings.in(new ClusterName("west"))).hasSize(1);
  }
}
