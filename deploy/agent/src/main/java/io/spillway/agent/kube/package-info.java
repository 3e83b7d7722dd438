/**
 * The Kubernetes API as the agent uses it: what blocks is called from {@link
 * io.spillway.agent.kube.Lanes}, what is watched arrives on the timeline, trimmed to a few hundred
 * bytes an object, so that a cluster of thousands of nodes fits in a small heap. Only objects that
 * carry Spillway's labels are watched or written, besides nodes, which are read.
 */
package io.spillway.agent.kube;
