package io.spillway.server.board;

import io.spillway.scheduler.state.View;
import io.spillway.server.probes.LastSeen;
import io.spillway.server.providers.Providers;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Instant;

/** The market board at one look, with what modules and probes of this replica add to the state. */
@ApplicationScoped
public class MarketBoards {
  private final Providers providers;
  private final LastSeen lastSeen;

  MarketBoards(Providers providers, LastSeen lastSeen) {
    this.providers = providers;
    this.lastSeen = lastSeen;
  }

  public MarketBoard at(View view, Instant now) {
    return new MarketBoard(view, now, providers::wayIn, lastSeen::of);
  }
}
