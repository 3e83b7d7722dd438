/**
 * Signs that a cluster cannot get the nodes that attempts wait for, as autoscalers and schedulers
 * say them, raw: the control plane classifies. Only events with reasons of interest are watched. A
 * symptom that names an attempt makes the control plane give up its launch, so that one is named
 * only where the cluster itself connects the two.
 */
package io.spillway.agent.symptom;
