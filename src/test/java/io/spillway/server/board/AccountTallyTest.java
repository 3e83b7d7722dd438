package io.spillway.server.board;

import static org.assertj.core.api.Assertions.assertThat;

import io.spillway.scheduler.model.FailureClass;
import io.spillway.server.probes.AccountHealth;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class AccountTallyTest {
  private static final Instant NOON = Instant.parse("2026-12-01T12:00:00Z");

  @Test
  void a_market_in_which_nothing_changes_is_seen_anew_by_every_round_and_ages_while_they_fail() {
    assertThat(age(AccountHealth.State.HEALTHY, NOON.minusSeconds(5))).contains(5L);
    assertThat(age(AccountHealth.State.FAILING, NOON.minusSeconds(900))).contains(900L);
  }

  @Test
  void an_account_that_never_answered_was_never_seen() {
    AccountTally tally = new AccountTally("aws", "prod");
    tally.health(AccountHealth.off("aws", "prod", "no key"));

    assertThat(tally.answer(Set.of("aws"), NOON).observationAgeSeconds()).isEmpty();
  }

  private static Optional<Long> age(AccountHealth.State state, Instant lastSuccess) {
    AccountTally tally = new AccountTally("aws", "prod");
    tally.health(
        new AccountHealth(
            "aws",
            "aws",
            "prod",
            state,
            Optional.of(NOON),
            Optional.of(lastSuccess),
            Optional.of(NOON.plusSeconds(60)),
            Optional.of(Duration.ofMillis(200)),
            "",
            state == AccountHealth.State.FAILING
                ? Optional.of(FailureClass.TRANSIENT)
                : Optional.empty(),
            0,
            3,
            List.of(),
            Optional.empty()));
    return tally.answer(Set.of("aws"), NOON).observationAgeSeconds();
  }
}
