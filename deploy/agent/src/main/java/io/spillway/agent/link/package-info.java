/**
 * The one connection that the agent opens: a stream to the control plane, which it opens again and
 * again with a growing pause. What is said is kept until it is acknowledged. That the stream breaks
 * says nothing about workloads, and nothing here touches one.
 */
package io.spillway.agent.link;
