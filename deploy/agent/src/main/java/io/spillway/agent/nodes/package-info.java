/**
 * The cluster's machines and what they can run. Labels of every kind of cluster are read here and
 * turned into the control plane's words: canonical GPU models, capacity types, fabrics, health
 * signs. Where the labels of a cluster do not say enough, its operator labels nodes with {@code
 * spillway.io/…}, which goes before everything else.
 */
package io.spillway.agent.nodes;
