package io.spillway.capacity.simulated.cloud;

import io.spillway.capacity.simulated.market.Line;

/**
 * A refusal in the provider's own words (reference: their API documentation, as read in 2026).
 *
 * @param code error code, or the reason of a cluster event
 */
public record Refusal(String code, String message) {

  /** No machine of that kind is free. */
  static Refusal noCapacity(Line line) {
    String type = line.instanceType();
    return switch (line.provider()) {
      case "aws" ->
          new Refusal(
              "InsufficientInstanceCapacity",
              "We currently do not have sufficient "
                  + type
                  + " capacity in the Availability Zone you requested ("
                  + line.zone()
                  + ").");
      case "gcp" ->
          new Refusal(
              "ZONE_RESOURCE_POOL_EXHAUSTED",
              "The zone 'projects/demo/zones/"
                  + line.zone()
                  + "' does not have enough resources available to fulfill the request.");
      case "oci" -> new Refusal("InternalError", "Out of host capacity.");
      case "nebius" -> new Refusal("RESOURCE_EXHAUSTED", "Not enough resources");
      case "crusoe" -> new Refusal("out_of_stock", "instance type " + type + " is out of stock");
      case "coreweave" ->
          new Refusal("CWInsufficientCapacity", "insufficient capacity for " + type);
      default -> new Refusal("InsufficientCapacity", "insufficient capacity for " + type);
    };
  }

  /** The account's limit is used up. */
  static Refusal quota(Line line) {
    return switch (line.provider()) {
      case "aws" ->
          new Refusal(
              "VcpuLimitExceeded",
              "You have requested more vCPU capacity than your current vCPU limit allows for the"
                  + " instance bucket that the specified instance type belongs to.");
      case "gcp" ->
          new Refusal(
              "QUOTA_EXCEEDED", "Quota 'PREEMPTIBLE_NVIDIA_H100_GPUS' exceeded. Limit: 64.0");
      case "oci" -> new Refusal("LimitExceeded", "The service limit for this shape is exceeded.");
      case "nebius" -> new Refusal("RESOURCE_EXHAUSTED", "Quota limit exceeded");
      case "coreweave" -> new Refusal("CWOverQuota", "over quota for " + line.instanceType());
      default -> new Refusal("quota_exceeded", "quota limit exceeded for this project");
    };
  }

  /** Too many calls. */
  static Refusal throttled(Line line) {
    return switch (line.provider()) {
      case "aws" -> new Refusal("RequestLimitExceeded", "Request limit exceeded.");
      case "gcp" -> new Refusal("rateLimitExceeded", "Rate Limit Exceeded");
      case "oci" -> new Refusal("TooManyRequests", "Too many requests for the user.");
      default -> new Refusal("TooManyRequests", "too many requests");
    };
  }

  /** The provider's service is in trouble. */
  static Refusal outage(Line line) {
    return switch (line.provider()) {
      case "aws" ->
          new Refusal("ServiceUnavailable", "The request has failed due to a temporary failure.");
      case "gcp" -> new Refusal("backendError", "Backend Error");
      case "oci" -> new Refusal("InternalServerError", "Internal server error occurred.");
      default -> new Refusal("ServiceUnavailable", "service unavailable");
    };
  }

  /** No answer in time; the work may have been done. */
  static Refusal timedOut() {
    return new Refusal("RequestTimeout", "the create call timed out: context deadline exceeded");
  }
}
