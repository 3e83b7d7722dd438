package io.spillway.verify.scenarios;

import java.util.Arrays;

/** What the scenarios of one suite have in common. */
enum Family {
  F1("Runs lost or doubled at a crash or a time-out"),
  F2("Capacity failures not recognised, or taken too widely or too narrowly"),
  F3("Hammering a provider that says no"),
  F4("Failover that gets stuck"),
  F5("Inverted priority and starvation"),
  F6("Preemption that thrashes"),
  F7("Events lost, repeated or out of order"),
  F8("Leaks, drift and self-made deadlock"),
  P("Wrong prices"),
  O("Others");

  private final String title;

  Family(String title) {
    this.title = title;
  }

  static Family of(String name) {
    return Arrays.stream(values())
        .filter(family -> family.name().equals(name))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("'" + name + "' is no family"));
  }

  String title() {
    return title;
  }
}
