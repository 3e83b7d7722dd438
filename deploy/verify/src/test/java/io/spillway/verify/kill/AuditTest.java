package io.spillway.verify.kill;

import static org.assertj.core.api.Assertions.assertThat;

import io.spillway.verify.kill.Evidence.Forgotten;
import io.spillway.verify.kill.Finding.Rule;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** An audit that finds nothing means something only if it finds what is wrong. */
class AuditTest {
  private static final Instant ZERO = Instant.parse("2026-11-01T00:00:00Z");

  private final List<Fact> ledger = new ArrayList<>();
  private final List<Accepted> accepted = new ArrayList<>();
  private final List<Seen> jobs = new ArrayList<>();
  private final List<Seen> before = new ArrayList<>();
  private Optional<Forgotten> forgotten = Optional.empty();

  @Test
  void a_job_that_ran_once_and_ended_once_raises_nothing() {
    promised("k", "A");
    ran("A-1", 10, 20);
    shown("A", "k", "SUCCEEDED", "A-1");
    assertThat(rules()).isEmpty();
  }

  @Test
  void a_retry_after_the_end_of_the_run_before_raises_nothing() {
    promised("k", "A");
    fact(10, "A-1", "apply");
    fact(11, "A-1", "start");
    fact(20, "A-1", "stop");
    fact(21, "A-1", "end", 143);
    ran("A-2", 22, 30);
    shown("A", "k", "SUCCEEDED", "A-1", "A-2");
    assertThat(rules()).isEmpty();
  }

  @Test
  void a_promise_without_a_job_is_found() {
    promised("k", "A");
    assertThat(rules()).containsExactly(Rule.LOST_JOB);
  }

  @Test
  void a_key_with_two_jobs_is_found_in_the_record_and_in_the_api() {
    promised("k", "A");
    promised("k", "B");
    shown("A", "k", "CANCELLED");
    shown("B", "k", "CANCELLED");
    assertThat(rules()).containsExactly(Rule.DOUBLED_JOB, Rule.DOUBLED_JOB);
  }

  @Test
  void a_job_that_neither_ended_nor_waits_is_found() {
    shown("A", "k", "RUNNING", "A-1");
    shown("B", "l", "QUEUED");
    assertThat(rules()).containsExactly(Rule.NOT_ENDED);
  }

  @Test
  void a_success_that_no_run_bears_out_is_found() {
    fact(10, "A-1", "apply");
    fact(11, "A-1", "start");
    fact(20, "A-1", "end", 1);
    shown("A", "k", "SUCCEEDED", "A-1");
    assertThat(rules()).containsExactly(Rule.NEVER_RAN);
  }

  @Test
  void an_end_that_changes_later_is_found() {
    before.add(new Seen("A", "k", "FAILED", "USER_FAILURES_SPENT", List.of()));
    shown("A", "k", "CANCELLED");
    assertThat(rules()).containsExactly(Rule.ENDED_TWICE);
  }

  @Test
  void an_attempt_started_twice_is_found_even_one_after_the_other() {
    ran("A-1", 10, 20);
    ran("A-1", 30, 40);
    shown("A", "k", "SUCCEEDED", "A-1");
    assertThat(rules()).contains(Rule.DOUBLED_RUN, Rule.AFTER_STOP);
  }

  @Test
  void runs_of_two_attempts_that_overlap_are_found() {
    ran("A-1", 10, 30);
    ran("A-2", 20, 40);
    shown("A", "k", "SUCCEEDED", "A-1", "A-2");
    assertThat(rules()).contains(Rule.OVERLAP);
  }

  @Test
  void the_same_attempt_run_twice_at_once_is_found() {
    fact(10, "A-1", "apply");
    fact(11, "A-1", "start");
    fact(12, "A-1", "start");
    fact(20, "A-1", "end", 0);
    fact(21, "A-1", "end", 0);
    shown("A", "k", "SUCCEEDED", "A-1");
    assertThat(rules()).contains(Rule.DOUBLED_RUN, Rule.OVERLAP);
  }

  @Test
  void a_run_that_the_api_knows_nothing_of_is_found() {
    ran("A-1", 10, 20);
    shown("A", "k", "CANCELLED");
    assertThat(rules()).contains(Rule.NO_INTENT);
  }

  @Test
  void a_start_after_a_stop_is_found() {
    fact(10, "A-1", "stop");
    ran("A-1", 11, 20);
    shown("A", "k", "SUCCEEDED", "A-1");
    assertThat(rules()).contains(Rule.AFTER_STOP);
  }

  @Test
  void a_run_that_goes_on_after_its_job_ended_is_found() {
    fact(10, "A-1", "apply");
    fact(11, "A-1", "start");
    shown("A", "k", "CANCELLED", "A-1");
    assertThat(rules()).containsExactly(Rule.LEAKED);
  }

  @Test
  void a_stop_in_recovery_is_found() {
    ran("A-1", 10, 60_000);
    forgotten =
        Optional.of(
            new Forgotten(ZERO.plusMillis(20), ZERO.plusMillis(50), ZERO.plusMillis(90_000)));
    fact(59_000, "A-1", "stop");
    shown("A", "k", "SUCCEEDED", "A-1");
    assertThat(rules()).containsExactly(Rule.TOUCHED_IN_RECOVERY);
  }

  @Test
  void what_a_restored_copy_forgot_may_be_gone_or_run_again_but_never_at_once() {
    forgotten =
        Optional.of(new Forgotten(ZERO.plusMillis(5), ZERO.plusMillis(50), ZERO.plusMillis(51)));
    accepted.add(new Accepted("lost", "L", 201, ZERO.plusMillis(6)));
    ran("A-1", 10, 20);
    ledger.add(new Fact(60, ZERO.plusMillis(60), "other", "A-1", 1, "apply", List.of()));
    ledger.add(new Fact(61, ZERO.plusMillis(61), "other", "A-1", 1, "start", List.of()));
    ledger.add(new Fact(70, ZERO.plusMillis(70), "other", "A-1", 1, "end", List.of(0)));
    shown("A", "k", "SUCCEEDED", "A-1");
    assertThat(rules()).isEmpty();
  }

  private List<Rule> rules() {
    ledger.sort(java.util.Comparator.comparingLong(Fact::millis));
    return Audit.of(new Evidence(ledger, accepted, jobs, before, forgotten)).stream()
        .map(Finding::rule)
        .toList();
  }

  private void promised(String key, String job) {
    accepted.add(new Accepted(key, job, 201, ZERO));
  }

  private void shown(String id, String key, String state, String... attempts) {
    List<Seen.Try> tries = new ArrayList<>();
    for (String attempt : attempts) {
      tries.add(new Seen.Try(attempt, "c", "ENDED", "SUCCEEDED"));
    }
    jobs.add(new Seen(id, key, state, "SUBMITTED", tries));
  }

  private void ran(String attempt, long from, long to) {
    fact(from, attempt, "apply");
    fact(from + 1, attempt, "start");
    fact(to, attempt, "end", 0);
  }

  private void fact(long millis, String attempt, String event, Integer... codes) {
    ledger.add(new Fact(millis, ZERO.plusMillis(millis), "c", attempt, 1, event, List.of(codes)));
  }
}
