package io.spillway.server.rest;

import static io.spillway.server.rest.Calls.as;
import static io.spillway.server.rest.Calls.freshQueue;
import static io.spillway.server.rest.Calls.submitted;
import static org.awaitility.Awaitility.await;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.greaterThanOrEqualTo;
import static org.hamcrest.Matchers.hasItem;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.notNullValue;
import static org.hamcrest.Matchers.nullValue;
import static org.hamcrest.Matchers.startsWith;

import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.ValidatableResponse;
import java.time.Duration;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** What operators see of the probes that the server runs by itself. */
@QuarkusTest
class ProbeHealthTest {
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  @Test
  void a_healthy_account_shows_its_last_success_and_its_next_run() {
    eventually(
        ProbedMarkets.GOOD,
        account ->
            account
                .body("provider", equalTo(ProbedMarkets.MARKET))
                .body("module", is(false))
                .body("observations", is(2))
                .body("observationAgeSeconds", greaterThanOrEqualTo(0))
                .body("probe.module", equalTo("simulated"))
                .body("probe.state", equalTo("HEALTHY"))
                .body("probe.reason", nullValue())
                .body("probe.lastSuccess", notNullValue())
                .body("probe.nextRun", notNullValue())
                .body("probe.backOffUntil", nullValue())
                .body("probe.lastObservations", is(2))
                .body("probe.failures", is(0)));
  }

  @Test
  void an_account_that_nobody_answers_for_fails_by_itself_and_says_until_when_it_is_left_alone() {
    eventually(
        ProbedMarkets.SILENT,
        account ->
            account
                .body("probe.state", equalTo("FAILING"))
                .body("probe.failureClass", equalTo("TRANSIENT"))
                .body("probe.reason", containsString("no answer"))
                .body("probe.failures", greaterThanOrEqualTo(1))
                .body("probe.lastSuccess", nullValue())
                .body("probe.backOffUntil", notNullValue()));
  }

  @Test
  void refused_credentials_are_shown_as_such() {
    eventually(
        ProbedMarkets.REFUSED,
        account ->
            account
                .body("probe.state", equalTo("FAILING"))
                .body("probe.failureClass", equalTo("AUTH"))
                .body("probe.reason", containsString("403"))
                .body("probe.backOffUntil", notNullValue()));
  }

  @Test
  void what_is_off_says_why_and_which_key() {
    eventually(
        ProbedMarkets.WRONG,
        account ->
            account
                .body("probe.state", equalTo("OFF"))
                .body(
                    "probe.reason",
                    startsWith(
                        "spillway.providers.simulated.accounts.probe-wrong.interval: 'soon'")));
    eventually(
        ProbedMarkets.BARE,
        account ->
            account
                .body("probe.state", equalTo("OFF"))
                .body("probe.reason", containsString("credentials.provider is missing")));
    as("viewer")
        .get("/api/v1/providers")
        .then()
        .rootPath("items.find { it.provider == 'oci' }")
        .body("account", nullValue())
        .body("module", is(true))
        .body("probe.state", equalTo("OFF"))
        .body("probe.reason", containsString("spillway.providers.oci.accounts"));
  }

  @Test
  void what_probes_saw_stands_on_the_board_with_its_source_and_an_odd_price_with_its_reason() {
    await()
        .atMost(PATIENCE)
        .untilAsserted(
            () ->
                as("viewer")
                    .get("/api/v1/offerings")
                    .then()
                    .statusCode(200)
                    .rootPath("items.find { it.instanceType == 't8.h100' }")
                    .body("launchable", is(false))
                    .body("source", equalTo("simulated offerings"))
                    .body("observationAgeSeconds", notNullValue())
                    .body("priceUsableUntil", notNullValue())
                    .body("notLaunchable.use", startsWith("add a Cluster with provider testcloud"))
                    .body("notLaunchable.wayIn", notNullValue())
                    .noRootPath()
                    .rootPath("items.find { it.instanceType == 't8.a100' }")
                    .body("oddPrice", containsString("is outside"))
                    .body("priceNotUsed.reason", equalTo("PRICE_QUARANTINED"))
                    .body("notLaunchable.wouldBeCheapest", is(false)));
  }

  @Test
  void explain_tells_the_ladder_the_line_and_what_could_be_had_for_less() {
    String queue = freshQueue();
    submitted(queue);
    String second = submitted(queue);
    await()
        .atMost(PATIENCE)
        .untilAsserted(
            () ->
                as("red")
                    .get(Calls.JOBS + "/" + second + "/explain")
                    .then()
                    .statusCode(200)
                    .body("source", equalTo("leader"))
                    .body("rungs[0].name", equalTo("spot"))
                    .body("rungs[0].open", is(true))
                    .body("rungs[1].name", equalTo("reserved"))
                    .body("ahead.size()", greaterThanOrEqualTo(1))
                    .body("line.jobs", greaterThanOrEqualTo(1))
                    .body("line.exact", notNullValue())
                    .body("notLaunchable.instanceType", hasItem("t8.h100"))
                    .body("notLaunchable[0].notLaunchable.use", startsWith("add ")));
  }

  private void eventually(String account, Consumer<ValidatableResponse> shown) {
    await()
        .atMost(PATIENCE)
        .untilAsserted(
            () ->
                shown.accept(
                    as("viewer")
                        .get("/api/v1/providers")
                        .then()
                        .statusCode(200)
                        .rootPath("items.find { it.account == '" + account + "' }")));
  }
}
