package io.spillway.capacity.nebius;

import com.google.protobuf.Any;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.rpc.RetryInfo;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.protobuf.StatusProto;
import io.spillway.capacity.http.ProbeRun;
import io.spillway.capacity.http.RetryAfter;
import io.spillway.capacity.nebius.api.common.ServiceError;
import io.spillway.capacity.spi.FailureClassifier;
import io.spillway.capacity.spi.FailureClassifier.Failure;
import io.spillway.capacity.spi.ProbeException;
import io.spillway.scheduler.model.CapacityType;
import io.spillway.scheduler.model.FailureClass;
import io.spillway.scheduler.model.MarketKey;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** What the end of a gRPC call makes the caller do: details, then words, then the status. */
final class NebiusStatus {
  private static final FailureClassifier CLASSIFIER = NebiusFailures.classifier();
  private static final Metadata.Key<String> RETRY_AFTER =
      Metadata.Key.of("retry-after", Metadata.ASCII_STRING_MARSHALLER);

  /** The classification asks for a place; a call has none. */
  private static final MarketKey NOWHERE =
      new MarketKey("nebius", "", "", "", "", CapacityType.ON_DEMAND, Optional.empty());

  private NebiusStatus() {}

  static ProbeException of(String label, Status status, Metadata trailers, ProbeRun run) {
    String words = status.getDescription() == null ? "" : status.getDescription();
    List<Any> details = details(status, trailers);
    ProbeException refused =
        new ProbeException(
            failureClass(status, words, details, run),
            label + ": " + status.getCode() + ' ' + run.redacted(words),
            retryAfter(details, trailers, run),
            null);
    refused.retryAfter().ifPresent(run::silence);
    return refused;
  }

  private static FailureClass failureClass(
      Status status, String words, List<Any> details, ProbeRun run) {
    // gRPC's own words on an answer that it refused to read.
    if (words.contains("exceeds maximum size") || words.contains("Failed to read message")) {
      return FailureClass.UNKNOWN;
    }
    String code =
        details.stream()
            .map(NebiusStatus::kind)
            .filter(kind -> !kind.isEmpty())
            .findFirst()
            .orElse(status.getCode().name());
    return CLASSIFIER.classify(new Failure(NOWHERE, code, words, 0, run.now())).failureClass();
  }

  private static List<Any> details(Status status, Metadata trailers) {
    com.google.rpc.Status told = StatusProto.fromStatusAndTrailers(status, trailers);
    return told.getDetailsList();
  }

  private static String kind(Any detail) {
    return unpacked(detail, ServiceError.class)
        .map(
            error ->
                error.hasQuotaFailure()
                    ? "QuotaFailure"
                    : error.hasNotEnoughResources()
                        ? "NotEnoughResources"
                        : error.hasTooManyRequests() ? "TooManyRequests" : "")
        .orElse("");
  }

  private static Optional<Duration> retryAfter(List<Any> details, Metadata trailers, ProbeRun run) {
    return details.stream()
        .flatMap(detail -> unpacked(detail, RetryInfo.class).stream())
        .map(info -> Duration.ofSeconds(info.getRetryDelay().getSeconds()))
        .filter(wait -> wait.isPositive() && wait.compareTo(RetryAfter.LONGEST) <= 0)
        .findFirst()
        .or(
            () ->
                Optional.ofNullable(trailers.get(RETRY_AFTER))
                    .flatMap(value -> RetryAfter.parse(value, run.providersNow())));
  }

  private static <T extends com.google.protobuf.Message> Optional<T> unpacked(
      Any detail, Class<T> type) {
    try {
      return detail.is(type) ? Optional.of(detail.unpack(type)) : Optional.empty();
    } catch (InvalidProtocolBufferException e) {
      // A detail that cannot be read tells no more than its status.
      return Optional.empty();
    }
  }
}
