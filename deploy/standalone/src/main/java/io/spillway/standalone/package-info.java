/**
 * Starts Spillway on one machine: database, broker, server and simulated clouds, nothing to
 * install.
 */
package io.spillway.standalone;
