package io.spillway.capacity.spi;

import static io.spillway.capacity.spi.FailureScope.ACCOUNT;
import static io.spillway.capacity.spi.FailureScope.OFFERING;
import static io.spillway.capacity.spi.FailureScope.REGION;
import static io.spillway.capacity.spi.FailureTable.rule;
import static io.spillway.scheduler.model.FailureClass.AUTH;
import static io.spillway.scheduler.model.FailureClass.INVALID;
import static io.spillway.scheduler.model.FailureClass.NO_CAPACITY;
import static io.spillway.scheduler.model.FailureClass.QUOTA;
import static io.spillway.scheduler.model.FailureClass.THROTTLED;
import static io.spillway.scheduler.model.FailureClass.TRANSIENT;
import static io.spillway.scheduler.model.FailureClass.UNKNOWN;

import io.spillway.scheduler.model.CapacityFailure;
import java.time.Duration;
import java.util.Optional;

/**
 * What a refusal means when its provider says nothing special about it: what a Kubernetes cluster
 * and its autoscaler report, then the common phrases, then the HTTP status. A provider's classifier
 * ends here; of an unknown provider it is the whole classifier. What nothing explains is {@code
 * UNKNOWN} for the offering: go elsewhere, count it, never fail a job for it.
 */
public final class DefaultClassification implements FailureClassifier {
  /** First block after throttling; grows by repetition. */
  public static final Duration THROTTLE = Duration.ofSeconds(5);

  /** First block after a fault of the provider's service; grows by repetition. */
  public static final Duration FAULT = Duration.ofSeconds(5);

  /** How long an account is left alone whose permissions or bills are not in order. */
  public static final Duration ACCOUNT_TROUBLE = Duration.ofHours(1);

  /** Nothing is blocked: the word is about that one request. */
  public static final Duration REQUEST = Duration.ZERO;

  /** A limit of zero stays until somebody raises it. */
  public static final Duration LIMIT_OF_ZERO = Duration.ofHours(24);

  private static final Duration QUOTA_BLOCK = Duration.ofMinutes(10);
  private static final Duration CAPACITY_BLOCK = Duration.ofMinutes(5);
  private static final Duration CLUSTER_BLOCK = Duration.ofMinutes(10);

  private static final String[] QUOTA_WORDS = {
    "quota",
    "limit exceeded",
    "limit reached",
    "vcpu limit",
    "instance limit",
    "exceeds the limit",
    "spend limit",
    "insufficient funds",
    "insufficient credit",
    "insufficient balance",
    "balance is too low"
  };

  /** Phrases that only a provider writes; each speaks of machines that are not there. */
  private static final String[] CAPACITY_PHRASES = {
    "out of stock",
    "stockout",
    "out of host capacity",
    "out of capacity",
    "out of resources",
    "no capacity",
    "insufficient capacity",
    "insufficient instance capacity",
    "not enough capacity",
    "do not have sufficient",
    "does not have enough resources",
    "not enough resources",
    "no longer any instances",
    "resource pool exhausted"
  };

  private static final FailureTable CLUSTER =
      FailureTable.builder()
          .text(
              rule(QUOTA, OFFERING, CLUSTER_BLOCK),
              "max node group size reached",
              "max total nodes in cluster reached",
              "max cluster cpu, memory limit reached")
          .text(
              rule(NO_CAPACITY, OFFERING, CLUSTER_BLOCK),
              text -> text.code().equals("NotTriggerScaleUp") && text.says("in backoff after"))
          .text(
              rule(INVALID, OFFERING, CLUSTER_BLOCK),
              text ->
                  (text.code().equals("NotTriggerScaleUp")
                          || text.code().equals("FailedScheduling"))
                      && !text.says("insufficient")
                      && text.says("didn't match pod", "untolerated taint", "had taint"))
          .text(
              rule(NO_CAPACITY, OFFERING, CAPACITY_BLOCK),
              text -> text.code().equals("FailedScheduling") && text.says("insufficient"))
          .text(
              rule(NO_CAPACITY, OFFERING, CLUSTER_BLOCK),
              text -> text.code().equals("ScaleUpTimedOut"))
          .build();

  private static final FailureTable PHRASES =
      FailureTable.builder()
          // Before quota, whose words it shares: a throttled call says nothing of capacity or
          // limits.
          .text(
              rule(THROTTLED, REGION, THROTTLE),
              text ->
                  text.says("too many requests", "rate exceeded", "rate limit", "throttl")
                      || text.codeHas("throttl")
                      || text.codeHas("toomanyrequests")
                      || text.codeHas("requestlimitexceeded"))
          .text(DefaultClassification::quota, DefaultClassification::mentionsQuota)
          .text(rule(NO_CAPACITY, OFFERING, CAPACITY_BLOCK), CAPACITY_PHRASES)
          .text(
              rule(TRANSIENT, REGION, FAULT),
              "timed out",
              "timeout",
              "connection reset",
              "connection refused",
              "no such host",
              "unknown host",
              "tls handshake")
          .build();

  @Override
  public CapacityFailure classify(Failure failure) {
    return classify(failure, FailureText.of(failure));
  }

  /** As {@link #classify(Failure)}, for a classifier that has read the words already. */
  public CapacityFailure classify(Failure failure, FailureText text) {
    return CLUSTER
        .classify(failure, text)
        .or(() -> failure.httpStatus() > 0 ? Optional.empty() : said(failure, text))
        .orElseGet(() -> byStatus(failure, text));
  }

  private static Optional<CapacityFailure> said(Failure failure, FailureText text) {
    return PHRASES.classify(failure, text);
  }

  private static CapacityFailure byStatus(Failure failure, FailureText text) {
    FailureTable.Ruling ruling =
        switch (failure.httpStatus()) {
          case 401 -> rule(AUTH, ACCOUNT, ACCOUNT_TROUBLE);
          case 402 -> rule(QUOTA, ACCOUNT, ACCOUNT_TROUBLE);
          case 403 -> forbidden(text);
          case 408, 409, 425 -> rule(TRANSIENT, REGION, FAULT);
          case 429 -> rule(THROTTLED, REGION, THROTTLE);
          default -> byHundred(failure.httpStatus(), text);
        };
    return ruling.on(failure, text).of(failure, text);
  }

  private static FailureTable.Ruling byHundred(int status, FailureText text) {
    if (status >= 500 && status < 600) {
      return saysCapacity(text)
          ? rule(NO_CAPACITY, OFFERING, CAPACITY_BLOCK)
          : rule(TRANSIENT, REGION, FAULT);
    }
    if (status >= 400 && status < 500) {
      return rule(INVALID, OFFERING, REQUEST);
    }
    return rule(UNKNOWN, OFFERING, CAPACITY_BLOCK);
  }

  private static FailureTable.Ruling forbidden(FailureText text) {
    if (mentionsQuota(text) || text.says("limit")) {
      return DefaultClassification::quota;
    }
    return saysCapacity(text)
        ? rule(NO_CAPACITY, OFFERING, CAPACITY_BLOCK)
        : rule(AUTH, ACCOUNT, ACCOUNT_TROUBLE);
  }

  private static FailureTable.Verdict quota(Failure failure, FailureText text) {
    return new FailureTable.Verdict(
        QUOTA, REGION.of(failure.key()), text.limitOfZero() ? LIMIT_OF_ZERO : QUOTA_BLOCK);
  }

  private static boolean mentionsQuota(FailureText text) {
    return text.says(QUOTA_WORDS) || text.codeHas("quota") || text.codeHas("limitexceeded");
  }

  private static boolean saysCapacity(FailureText text) {
    return text.says(CAPACITY_PHRASES)
        || text.says("capacity", "exhausted")
        || text.codeHas("capacity")
        || text.codeHas("exhausted")
        || text.codeHas("stockout");
  }
}
