/**
 * The agent's own gate (semantics §18): what a cluster lets in, by its own configuration, whatever
 * the control plane sends. It lists what is allowed; a field that it does not know is refused.
 */
package io.spillway.agent.gate;
