package io.spillway.server.loop;

/** The right to commit under an epoch, as far as this replica knows; the store knows better. */
public record LeaderToken(long epoch) {}
