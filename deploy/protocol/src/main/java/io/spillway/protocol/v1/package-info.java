/**
 * The contract between control plane and agent, version 1: generated from agent.proto; fields are
 * only ever added.
 */
package io.spillway.protocol.v1;
