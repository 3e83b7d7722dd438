/**
 * What a Cluster document says beside the scheduler's part: what every pod sent there carries, what
 * it may be allowed, and what the names that jobs use mean in that cluster. The translation to
 * Kubernetes objects reads it; the core never sees it.
 */
package io.spillway.policies.compute;
