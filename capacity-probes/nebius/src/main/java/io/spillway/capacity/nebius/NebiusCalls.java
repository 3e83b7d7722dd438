package io.spillway.capacity.nebius;

import io.grpc.MethodDescriptor;
import io.spillway.capacity.http.MalformedException;
import io.spillway.capacity.http.ProbeClient.Limits;
import io.spillway.capacity.http.ProbeRun;
import io.spillway.capacity.spi.ProbeException;
import io.spillway.scheduler.model.FailureClass;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Function;

/**
 * The calls of one round, with its token. A token that is refused is renewed once, if it can be.
 *
 * @param bearer the token that the round began with
 */
record NebiusCalls(NebiusApi api, NebiusToken token, String bearer, ProbeRun run) {

  <Q, A> CompletableFuture<A> ask(String service, MethodDescriptor<Q, A> method, Q request) {
    return api.call(run, service, method, request, bearer)
        .exceptionallyCompose(
            failure ->
                isRefused(failure) && token.refused(bearer)
                    ? token
                        .current(api, run)
                        .thenCompose(renewed -> api.call(run, service, method, request, renewed))
                    : CompletableFuture.failedFuture(failure));
  }

  private static boolean isRefused(Throwable failure) {
    Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
    return cause instanceof ProbeException refused && refused.failureClass() == FailureClass.AUTH;
  }

  /**
   * All items of a list.
   *
   * @param request of the page with that token; the first one's is empty
   */
  <Q, A, R> CompletableFuture<List<R>> all(
      String service,
      MethodDescriptor<Q, A> method,
      Function<String, Q> request,
      Function<A, List<R>> items,
      Function<A, String> next) {
    return page(service, method, request, items, next, "", List.of(), new HashSet<>());
  }

  private <Q, A, R> CompletableFuture<List<R>> page(
      String service,
      MethodDescriptor<Q, A> method,
      Function<String, Q> request,
      Function<A, List<R>> items,
      Function<A, String> next,
      String page,
      List<R> before,
      Set<String> asked) {
    if (!asked.add(page) || asked.size() > Limits.DEFAULT.pages()) {
      return CompletableFuture.failedFuture(
          new MalformedException(method.getFullMethodName() + ": its pages do not end"));
    }
    return ask(service, method, request.apply(page))
        .thenCompose(
            answer -> {
              List<R> all = new ArrayList<>(before);
              all.addAll(items.apply(answer));
              String more = next.apply(answer);
              return more.isEmpty()
                  ? CompletableFuture.completedFuture(List.copyOf(all))
                  : page(service, method, request, items, next, more, all, asked);
            });
  }
}
