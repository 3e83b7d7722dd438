/**
 * A compiled policy set: what the YAML documents say, resolved and checked, as plain records. Built
 * by the policies module, read by the core. A set has one version, the hash of the whole.
 */
package io.spillway.scheduler.policy;
