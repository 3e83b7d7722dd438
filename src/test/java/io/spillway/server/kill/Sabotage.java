package io.spillway.server.kill;

import io.spillway.server.world.TestStore;

/** Takes a safeguard out, to see that somebody notices. Never part of a normal run. */
final class Sabotage {
  private Sabotage() {}

  /** Any epoch commits. */
  static void takeOutTheFence(TestStore store) {
    store.query(
        """
        create or replace function fence(of_cell text, my_epoch bigint) returns void
        language plpgsql as $$ begin end $$
        """);
  }
}
