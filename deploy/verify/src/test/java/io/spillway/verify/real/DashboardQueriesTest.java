package io.spillway.verify.real;

import static org.assertj.core.api.Assertions.assertThat;

import io.spillway.verify.real.Dashboards.Language;
import io.spillway.verify.real.Dashboards.Query;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** What can be said of the dashboards without a Prometheus. */
class DashboardQueriesTest {
  /** Queries that may ask for absence: none. */
  private static final Set<String> ABSENT_ALLOWED = Set.of();

  @Test
  void no_query_names_a_metric_that_nobody_promises() throws Exception {
    MetricNames names = MetricNames.read(Repository.root());
    Set<String> unknown = new TreeSet<>();
    for (Query query : Dashboards.read(Repository.root()).of(Language.PROMQL)) {
      for (String selector : Selectors.of(query.text())) {
        String metric = Selectors.metric(selector);
        if (!names.allows(metric)) {
          unknown.add(metric + " in " + query.place());
        }
      }
    }

    assertThat(unknown).isEmpty();
  }

  @Test
  void no_query_hides_a_missing_series() throws Exception {
    List<String> hiding = new ArrayList<>();
    for (Query query : Dashboards.read(Repository.root()).of(Language.PROMQL)) {
      boolean absent = query.text().contains("absent") && !ABSENT_ALLOWED.contains(query.text());
      if (query.text().contains("or vector") || absent) {
        hiding.add(query.place());
      }
    }

    assertThat(hiding).isEmpty();
  }

  @Test
  void dashboards_and_panels_have_their_own_ids() throws Exception {
    Dashboards dashboards = Dashboards.read(Repository.root());

    assertThat(dashboards.uids()).doesNotHaveDuplicates().hasSizeGreaterThanOrEqualTo(7);
    assertThat(dashboards.faults()).isEmpty();
  }
}
