package io.spillway.scheduler.placement;

import io.spillway.scheduler.model.ClusterName;
import io.spillway.scheduler.plan.RefusalReason;
import io.spillway.scheduler.state.Memo;
import io.spillway.scheduler.state.View;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** Whether a cluster takes anything new now. */
final class ClusterGate {
  private final View view;
  private final Map<ClusterName, Optional<Verdict.Refused>> known = new HashMap<>();

  ClusterGate(View view) {
    this.view = view;
  }

  Optional<Verdict.Refused> refusal(ClusterName cluster) {
    return known.computeIfAbsent(cluster, name -> reason(name).map(Verdict.Refused::of));
  }

  private Optional<RefusalReason> reason(ClusterName name) {
    Memo.ClusterFlags flags = view.cluster(name);
    if (!flags.registered()) {
      return Optional.of(RefusalReason.CLUSTER_UNREGISTERED);
    }
    if (flags.link() != Memo.Link.HEARD) {
      return Optional.of(RefusalReason.CLUSTER_CUT_OFF);
    }
    return flags.cordoned() ? Optional.of(RefusalReason.CLUSTER_CORDONED) : Optional.empty();
  }
}
