package io.spillway.policies.finding;

/** What a finding means for the set. */
public enum Severity {
  /** The set is not loaded. */
  ERROR,
  /** The set is loaded; somebody should look. */
  WARNING
}
