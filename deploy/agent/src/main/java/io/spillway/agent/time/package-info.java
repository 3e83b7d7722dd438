/**
 * The agent's one thread and its clock. Everything the agent knows is read and changed on the
 * timeline only; what blocks runs elsewhere and comes back to it. In tests the timeline is virtual,
 * so that hours pass at once.
 */
package io.spillway.agent.time;
