package io.spillway.capacity.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.spillway.capacity.spi.AccountSettings;
import java.math.BigDecimal;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class WordsTest {
  private static final Instant SENT = Instant.parse("2026-11-30T12:00:00Z");

  @Test
  void retry_after_is_seconds_or_a_date_by_the_providers_clock() {
    assertThat(RetryAfter.parse("7", SENT)).contains(Duration.ofSeconds(7));
    assertThat(RetryAfter.parse("Mon, 30 Nov 2026 12:00:30 GMT", SENT))
        .contains(Duration.ofSeconds(30));
    assertThat(RetryAfter.parse("Mon, 30 Nov 2026 11:00:00 GMT", SENT)).contains(Duration.ZERO);
    assertThat(RetryAfter.parse("999999999", SENT)).contains(RetryAfter.LONGEST);
    for (String other : new String[] {"", "soon", "-1", "1.5", "99999999999999999999"}) {
      assertThat(RetryAfter.parse(other, SENT)).as(other).isEmpty();
    }
  }

  @Test
  void a_secret_is_not_shown_whole_nor_after_its_name() {
    Redaction redaction = new Redaction(List.of("sk-live-123456", "abc"));

    assertThat(redaction.of("key sk-live-123456 is\nrefused")).isEqualTo("key *** is refused");
    assertThat(redaction.of("Authorization: Bearer eyJhbGciOi.x.y")).doesNotContain("eyJ");
    assertThat(redaction.of("the alphabet begins with abc")).contains("abc");
    assertThat(redaction.of("x".repeat(5_000))).hasSize(200);
  }

  @Test
  void a_query_is_sorted_and_encoded_as_signatures_want_it() {
    HttpCall call = HttpCall.get("/list").with("z", "a b").with("a", "x/y+~*");

    assertThat(call.canonicalQuery()).isEqualTo("a=x%2Fy%2B~%2A&z=a%20b");
    assertThat(call.request(URI.create("https://api.example.com/v1/")).build().uri())
        .hasToString("https://api.example.com/v1/list?a=x%2Fy%2B~%2A&z=a%20b");
  }

  @Test
  void keys_never_travel_in_clear_text_over_a_network() {
    for (String refused : new String[] {"http://api.example.com", "ftp://127.0.0.1", "file:/etc"}) {
      assertThatThrownBy(() -> client(refused)).as(refused).hasMessageContaining("endpoint");
    }
    for (String fine :
        new String[] {"https://api.example.com", "http://127.0.0.1:8080", "http://localhost"}) {
      assertThat(client(fine)).isNotNull();
    }
  }

  @Test
  void a_key_with_a_line_break_is_named_and_not_shown() {
    assertThatThrownBy(
            () -> Credentials.required(account("https://x.example", "secret\nkey"), "api-key"))
        .hasMessageContaining("credentials.api-key")
        .hasMessageNotContaining("secret");
    assertThatThrownBy(() -> Credentials.required(account("https://x.example", " "), "api-key"))
        .hasMessage("credentials.api-key is missing");
  }

  private static ProbeClient client(String endpoint) {
    return new ProbeClient(
        account(endpoint, "some-key"),
        URI.create("https://public.example"),
        HttpCall.Signer.NONE,
        new CallBudget(1, 1, Duration.ZERO));
  }

  private static AccountSettings account(String endpoint, String key) {
    return new AccountSettings(
        "prod",
        Optional.empty(),
        List.of(),
        Duration.ofMinutes(1),
        BigDecimal.ONE,
        Optional.of(URI.create(endpoint)),
        Map.of("api-key", key));
  }
}
