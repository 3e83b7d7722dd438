package io.spillway.server.policy;

import static org.assertj.core.api.Assertions.assertThat;

import io.spillway.scheduler.state.State;
import org.junit.jupiter.api.Test;

class LivePoliciesTest {
  @Test
  void a_replica_that_has_not_loaded_its_state_does_not_claim_to_know_the_policies() {
    LivePolicies policies = new LivePolicies(null);
    assertThat(policies.loaded()).isFalse();

    policies.reset(false, new State());

    assertThat(policies.loaded()).isTrue();
  }
}
