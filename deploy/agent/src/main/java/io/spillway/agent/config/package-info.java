/**
 * The agent's settings: environment variables, or the same names in a properties file. An absent or
 * an empty setting is its default; every wrong one is told at once, by its name, before anything
 * starts.
 */
package io.spillway.agent.config;
