package io.spillway.standalone;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What a server is told at its start; a later word for a key replaces an earlier one. */
final class ServerProperties {
  private final Map<String, String> values = new LinkedHashMap<>();

  void set(String key, String value) {
    values.put(key, value);
  }

  void listen(int port, int managementPort) {
    set("quarkus.http.host", "127.0.0.1");
    set("quarkus.http.port", Integer.toString(port));
    set("quarkus.management.host", "127.0.0.1");
    set("quarkus.management.port", Integer.toString(managementPort));
  }

  void store(Postgres postgres) {
    set("quarkus.datasource.jdbc.url", postgres.jdbcUrl());
    set("quarkus.datasource.reactive.url", postgres.reactiveUrl());
    set("quarkus.datasource.username", postgres.user());
    // The embedded database trusts the loopback interface; the drivers want some password.
    set("quarkus.datasource.password", postgres.user());
  }

  void accounts(List<PolicyFiles.Account> accounts, int cloudsPort, String interval) {
    for (PolicyFiles.Account account : accounts) {
      String prefix = "spillway.providers.simulated.accounts." + account.name() + ".";
      set(prefix + "endpoint", "http://127.0.0.1:" + cloudsPort);
      set(prefix + "credentials.provider", account.provider());
      set(prefix + "account-id", account.id());
      set(prefix + "interval", interval);
    }
  }

  Map<String, String> all() {
    return Map.copyOf(values);
  }
}
