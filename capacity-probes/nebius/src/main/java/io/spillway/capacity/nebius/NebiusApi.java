package io.spillway.capacity.nebius;

import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.netty.NettyChannelBuilder;
import io.spillway.capacity.http.MalformedException;
import io.spillway.capacity.http.ProbeClient.Limits;
import io.spillway.capacity.http.ProbeRun;
import io.spillway.capacity.http.RetryAfter;
import java.net.URI;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/**
 * Unary calls to Nebius's services, each of which has a host of its own unless the settings name
 * one for all. No thread is blocked; a call ends by its deadline, by the end of its round, or when
 * its answer is longer than an answer may be.
 */
final class NebiusApi implements AutoCloseable {
  private static final Metadata.Key<String> DATE =
      Metadata.Key.of("date", Metadata.ASCII_STRING_MARSHALLER);
  private static final Metadata.Key<String> AUTHORIZATION =
      Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER);

  private static final int HTTPS = 443;

  private final String hosts;
  private final Map<URI, ManagedChannel> channels = new ConcurrentHashMap<>();

  /**
   * @param hosts of the services, with {@code {service}} for a service's name
   */
  NebiusApi(String hosts) {
    this.hosts = hosts;
  }

  /**
   * @param service the name of the service's host
   * @param token empty for the call that gets one
   */
  <Q, A> CompletableFuture<A> call(
      ProbeRun run, String service, MethodDescriptor<Q, A> method, Q request, String token) {
    String label = method.getFullMethodName();
    return run.admit(label)
        .thenCompose(admitted -> run.hungUpAtEnd(exchange(run, service, method, request, token)));
  }

  private <Q, A> CompletableFuture<A> exchange(
      ProbeRun run, String service, MethodDescriptor<Q, A> method, Q request, String token) {
    ClientCall<Q, A> call =
        channel(URI.create(hosts.replace("{service}", service)))
            .newCall(
                method,
                CallOptions.DEFAULT.withDeadlineAfter(
                    Limits.DEFAULT.call().toMillis(), TimeUnit.MILLISECONDS));
    Metadata headers = new Metadata();
    if (!token.isEmpty()) {
      headers.put(AUTHORIZATION, "Bearer " + token);
    }
    Answer<A> answer = new Answer<>(method.getFullMethodName(), run);
    answer.hangUp(call);
    call.start(answer, headers);
    call.sendMessage(request);
    call.halfClose();
    call.request(2);
    return answer.value;
  }

  private ManagedChannel channel(URI host) {
    return channels.computeIfAbsent(host, NebiusApi::open);
  }

  private static ManagedChannel open(URI host) {
    boolean clear = "http".equals(host.getScheme());
    NettyChannelBuilder builder =
        NettyChannelBuilder.forAddress(host.getHost(), host.getPort() < 0 ? HTTPS : host.getPort())
            .maxInboundMessageSize(Limits.DEFAULT.bytes())
            .disableRetry()
            .userAgent("spillway");
    return (clear ? builder.usePlaintext() : builder).build();
  }

  @Override
  public void close() {
    channels.values().forEach(ManagedChannel::shutdownNow);
  }

  /** Takes the one message of an answer. */
  private static final class Answer<A> extends ClientCall.Listener<A> {
    private final String label;
    private final ProbeRun run;
    private final CompletableFuture<A> value = new CompletableFuture<>();
    private A message;

    Answer(String label, ProbeRun run) {
      this.label = label;
      this.run = run;
    }

    // Its result is the call's end.
    @SuppressWarnings("FutureReturnValueIgnored")
    void hangUp(ClientCall<?, ?> call) {
      value.whenComplete(
          (answer, failure) -> {
            if (value.isCancelled()) {
              call.cancel("the round is over", null);
            }
          });
    }

    @Override
    public void onHeaders(Metadata headers) {
      String date = headers.get(DATE);
      if (date != null) {
        RetryAfter.date(date).ifPresent(run::providersClock);
      }
    }

    @Override
    public void onMessage(A answer) {
      message = answer;
    }

    @Override
    public void onClose(Status status, Metadata trailers) {
      if (!status.isOk()) {
        value.completeExceptionally(NebiusStatus.of(label, status, trailers, run));
      } else if (message == null) {
        value.completeExceptionally(new MalformedException(label + ": the answer is empty"));
      } else {
        value.complete(message);
      }
    }
  }
}
