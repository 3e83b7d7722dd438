/**
 * Which of the replicas acts. A Lease says so; nothing rests on it alone. Two that both believe to
 * lead apply the same objects under the same names, and the control plane hears only the later one.
 */
package io.spillway.agent.lead;
