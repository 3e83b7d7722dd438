/**
 * Jobs' logs, on demand: read from the API server and sent in pieces over the one stream. Nothing
 * is kept; what Kubernetes has forgotten is gone. Only the attempts' own pods are read.
 */
package io.spillway.agent.logs;
