package io.spillway.scheduler.model;

/**
 * What a refusal by a cloud or a cluster means for the next decision. Nothing here ever fails a job
 * by itself except {@link #INVALID} with the scope of a single request.
 */
public enum FailureClass {
  /** No machine of that kind is free there: block the offering and go elsewhere at once. */
  NO_CAPACITY,
  /** An account's limit is used up: block account and family for long; others are untouched. */
  QUOTA,
  /** The price asked is under the market's: wait for the next price. */
  PRICE_TOO_LOW,
  /** Too many calls; says nothing about capacity. */
  THROTTLED,
  /** The provider's service is in trouble or did not answer in time. */
  TRANSIENT,
  /** Credentials or permissions: block the account, tell the operator, go elsewhere. */
  AUTH,
  /** The request cannot be served in this form or place. */
  INVALID,
  /** Not understood: treated as "elsewhere", counted and logged. */
  UNKNOWN
}
