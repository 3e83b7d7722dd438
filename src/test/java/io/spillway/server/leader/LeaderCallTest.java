package io.spillway.server.leader;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.http.RequestOptions;
import org.junit.jupiter.api.Test;

class LeaderCallTest {

  @Test
  void a_replica_is_called_as_its_address_says() {
    RequestOptions bare = to("10.0.0.7:8080");
    assertThat(bare.getHost()).isEqualTo("10.0.0.7");
    assertThat(bare.getPort()).isEqualTo(8080);
    assertThat(bare.isSsl()).isFalse();

    RequestOptions tls = to("https://spillway-1.example:8443");
    assertThat(tls.getPort()).isEqualTo(8443);
    assertThat(tls.isSsl()).as("the caller's token goes with it").isTrue();
  }

  @Test
  void an_address_without_a_port_means_that_of_its_scheme() {
    assertThat(to("https://spillway-1.example").getPort()).isEqualTo(443);
    assertThat(to("http://spillway-1.example").getPort()).isEqualTo(80);
  }

  private static RequestOptions to(String address) {
    return LeaderCall.onBehalf(address, "/api/v1/jobs", "Bearer token", "application/json");
  }
}
