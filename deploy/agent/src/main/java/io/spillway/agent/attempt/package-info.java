/**
 * Attempts in this cluster. The cluster itself is the truth: what exists under an attempt's labels,
 * and the fates in the agent's memory, decide what a command does and what is reported. {@code
 * Attempts} keeps the book, {@code Obedience} carries out commands, {@code Verdict} reads from pods
 * and workload how an attempt stands; that last is pure. Nothing here stops anything but a stop.
 */
package io.spillway.agent.attempt;
