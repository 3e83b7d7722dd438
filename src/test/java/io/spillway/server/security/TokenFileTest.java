package io.spillway.server.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.spillway.scheduler.model.QueueName;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TokenFileTest {
  private static final String HASH = "0123456789abcdef".repeat(4);

  @Test
  void entries_have_a_name_a_hash_a_role_and_queues() {
    List<TokenEntry> entries =
        TokenFile.parse(
            """
            - name: ada
              sha256: %s
              role: submitter
              queues: [research, nlp]
            - {name: ops, sha256: %s, role: operator}
            """
                .formatted(HASH, HASH));
    assertThat(entries).hasSize(2);
    assertThat(entries.get(0).role()).isEqualTo(Role.SUBMITTER);
    assertThat(entries.get(0).queues())
        .containsExactly(new QueueName("nlp"), new QueueName("research"));
    assertThat(entries.get(0).toString()).doesNotContain(HASH);
  }

  @Test
  void an_empty_file_knows_nobody() {
    assertThat(TokenFile.parse("")).isEmpty();
    assertThat(TokenFile.parse("# nobody yet\n")).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "name: ada",
        "- ada",
        "- {name: ada, sha256: xyz, role: viewer}",
        "- {name: ada, role: viewer}",
        "- {sha256: HASH, role: viewer}",
        "- {name: ada, sha256: HASH, role: king}",
        "- {name: ada, sha256: HASH, role: submitter}",
        "- {name: ada, sha256: HASH, role: viewer, token: secret}",
        "- {name: ada, sha256: HASH, role: viewer, queues: [No]}",
        "- {name: ada"
      })
  void a_fault_anywhere_refuses_the_whole_file_without_repeating_a_hash(String yaml) {
    assertThatThrownBy(() -> TokenFile.parse(yaml.replace("HASH", HASH)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageNotContaining(HASH);
  }
}
