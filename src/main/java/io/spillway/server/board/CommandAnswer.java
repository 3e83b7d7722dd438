package io.spillway.server.board;

/**
 * A command on something other than a job.
 *
 * @param pending durable, but not committed within two seconds
 */
public record CommandAnswer(String command, String subject, boolean pending) {}
