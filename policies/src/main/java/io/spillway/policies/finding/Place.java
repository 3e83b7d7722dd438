package io.spillway.policies.finding;

/** A place in a file; line and column count from 1. */
public record Place(String file, int line, int column) {}
