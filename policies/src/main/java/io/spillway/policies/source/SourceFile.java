package io.spillway.policies.source;

/**
 * A policy file as it was found.
 *
 * @param name what findings call it; one that ends in {@code .json} is read as JSON, every other as
 *     YAML
 */
public record SourceFile(String name, String content) {}
