package io.spillway.verify.scenarios;

/**
 * A test whose name carries the id of a scenario.
 *
 * @param id as the csv writes it, {@code SKY-12}
 * @param type simple name of the top-level class
 * @param method the whole name, ids included
 * @param path of the file, relative to the root of the repository, with forward slashes
 */
record CarryingTest(String id, String type, String method, String path) {}
