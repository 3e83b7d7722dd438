package io.spillway.server.board;

import io.smallrye.mutiny.Uni;
import io.spillway.server.leader.LeaderCall;
import io.spillway.server.loop.StateReader;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Boards that the leader knows best, since probes run there: another replica passes its answer on,
 * and answers itself when the leader does not in time.
 */
@ApplicationScoped
public class LeaderFirst {
  private static final Duration PATIENCE = Duration.ofSeconds(1);

  private final StateReader state;
  private final LeaderCall leader;

  LeaderFirst(StateReader state, LeaderCall leader) {
    this.state = state;
    this.leader = leader;
  }

  /**
   * What to send: the leader's own JSON, or an answer made here.
   *
   * @param <T> the answer
   */
  public record Shown<T>(Optional<String> json, Optional<T> answer) {
    /** What becomes the body. */
    public Object body() {
      return json.<Object>map(text -> text).orElseGet(answer::orElseThrow);
    }
  }

  /**
   * @param forwarded another replica asks: no further hop
   * @param here the answer from this replica's own state
   */
  public <T> Uni<Shown<T>> answer(
      String path, Optional<String> authorization, boolean forwarded, Supplier<Uni<T>> here) {
    if (state.leading() || forwarded || authorization.isEmpty()) {
      return made(here);
    }
    return leader
        .get(path, authorization.get(), PATIENCE)
        .chain(
            json ->
                json.isPresent()
                    ? Uni.createFrom().item(new Shown<T>(json, Optional.empty()))
                    : made(here));
  }

  private static <T> Uni<Shown<T>> made(Supplier<Uni<T>> here) {
    return here.get().map(answer -> new Shown<>(Optional.empty(), Optional.of(answer)));
  }
}
