package io.spillway.server.problem;

import static org.assertj.core.api.Assertions.assertThat;

import io.spillway.server.inbox.Inbox;
import java.net.ConnectException;
import java.time.Duration;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class ProblemMappingTest {

  @Test
  void an_unreachable_database_is_a_503_with_retry_after_however_it_is_wrapped() {
    for (Throwable failure :
        new Throwable[] {
          new Inbox.StoreUnavailable("gone", new RuntimeException()),
          new IllegalStateException(new RuntimeException(new ConnectException("refused"))),
          new RuntimeException(new io.vertx.pgclient.PgException("x", "FATAL", "57P01", "y"))
        }) {
      ProblemMapping.Answer answer = ProblemMapping.answer(failure, "/api/v1/jobs");
      assertThat(answer.problem().status()).isEqualTo(503);
      assertThat(answer.retryAfterSeconds()).isPresent();
    }
  }

  @Test
  void a_mistake_of_ours_is_told_by_an_id_only() {
    Problem problem =
        ProblemMapping.answer(new NullPointerException("secret detail"), "/x").problem();
    assertThat(problem.status()).isEqualTo(500);
    assertThat(problem.detail()).doesNotContain("secret").containsPattern("[0-9a-f-]{36}");
  }

  @Test
  void a_refusal_inside_a_framework_exception_is_still_that_refusal() {
    Refused refused = new Refused(ProblemType.INVALID_JOB, "no");
    assertThat(ProblemMapping.answer(new RuntimeException(refused), "/x").problem().status())
        .isEqualTo(422);
    assertThat(new RetryLater(ProblemType.QUEUE_FULL, "full", Duration.ofMillis(1)).afterSeconds())
        .isEqualTo(1);
  }

  @Test
  void every_kind_of_problem_has_a_uri_of_its_own() {
    assertThat(Arrays.stream(ProblemType.values()).map(ProblemType::uri))
        .doesNotHaveDuplicates()
        .allMatch(uri -> uri.matches("https://spillway\\.io/problems/[a-z-]+"));
  }
}
