package io.spillway.scheduler.state;

import io.spillway.scheduler.event.ClusterEvent;
import io.spillway.scheduler.input.AgentInput.ReportedNode;
import io.spillway.scheduler.model.ClusterName;
import io.spillway.scheduler.state.Memo.ClusterFlags;
import io.spillway.scheduler.state.Memo.Link;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Applies events of clusters and their agents to the memo. */
final class ClusterChanges {
  private final Tables tables;

  ClusterChanges(Tables tables) {
    this.tables = tables;
  }

  void apply(ClusterEvent event) {
    ClusterFlags c =
        tables.clusters.get(event.cluster()).orElseGet(() -> ClusterFlags.unknown(event.cluster()));
    switch (event) {
      case ClusterEvent.ClusterRegistered e -> put(c.asRegistered());
      case ClusterEvent.AgentConnected e -> put(c.opened(e.generation(), e.agentEpoch(), e.at()));
      case ClusterEvent.AgentDisconnected e -> put(c.closed(e.at()));
      case ClusterEvent.ClusterCutOff e -> put(c.linked(Link.CUT_OFF, c.declared()));
      case ClusterEvent.ClusterLost e -> put(c.linked(Link.LOST, c.declared() || e.declared()));
      case ClusterEvent.ClusterRestored e -> put(c.linked(Link.HEARD, false));
      case ClusterEvent.ClusterCordoned e -> put(c.withCordon(e.cordoned()));
      case ClusterEvent.NodesChanged e -> {
        change(e);
        put(c.asInventoried());
      }
      case ClusterEvent.AbilitiesChanged e -> tables.abilities.put(e.cluster(), e.abilities());
      case ClusterEvent.ReportTaken e -> take(e);
      case ClusterEvent.SweepTaken e -> put(c.swept(e.at()));
      case ClusterEvent.StrayFound e ->
          put(
              new Memo.Stray(
                  e.cluster(), e.attempt(), e.attemptEpoch(), e.at(), e.sweeps(), false));
      case ClusterEvent.StrayStopped e ->
          put(new Memo.Stray(e.cluster(), e.attempt(), e.attemptEpoch(), e.at(), 0, true));
      case ClusterEvent.StrayGone e ->
          tables.strays.remove(new Tables.StrayKey(e.cluster(), e.attempt()));
    }
  }

  private void put(ClusterFlags flags) {
    tables.clusters.put(flags.name(), flags);
  }

  private void put(Memo.Stray stray) {
    tables.strays.put(new Tables.StrayKey(stray.cluster(), stray.attempt()), stray);
  }

  private void change(ClusterEvent.NodesChanged e) {
    if (e.complete()) {
      List<String> names = List.copyOf(tables.inventory.nodes(e.cluster()).keySet());
      names.forEach(name -> remove(e.cluster(), name));
    }
    e.gone().forEach(name -> remove(e.cluster(), name));
    for (ReportedNode node : e.nodes()) {
      tables.nodes.put(
          new Inventory.NodeKey(e.cluster(), node.name()), new Memo.Node(e.cluster(), node));
    }
  }

  private void remove(ClusterName cluster, String node) {
    tables.nodes.remove(new Inventory.NodeKey(cluster, node));
  }

  private void take(ClusterEvent.ReportTaken e) {
    List<Memo.Report> newest = new ArrayList<>();
    tables
        .reports
        .get(e.attempt().job())
        .ifPresent(
            reports ->
                reports.newest().stream()
                    .filter(report -> report.attempt() != e.attempt().number())
                    .forEach(newest::add));
    newest.add(new Memo.Report(e.attempt().number(), e.agentEpoch(), e.seq()));
    newest.sort(Comparator.comparingInt(Memo.Report::attempt));
    tables.reports.put(e.attempt().job(), new Memo.Reports(e.attempt().job(), newest));
  }
}
