package io.spillway.server.problem;

/**
 * What is wrong with one field.
 *
 * @param field its path in the body, for example {@code resources.gpu[1]}; empty = the whole body
 */
public record FieldError(String field, String message) {}
