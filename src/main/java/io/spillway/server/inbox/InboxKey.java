package io.spillway.server.inbox;

/** The place of one inbox row: its writer and the writer's own number. */
public record InboxKey(String writer, long seq) {}
