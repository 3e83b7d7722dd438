package io.spillway.scheduler.model;

/**
 * The fast network that nodes of an offering share.
 *
 * @param type for example {@code efa}, {@code roce-v2}, {@code infiniband}
 * @param name the placement group, cluster network or leaf group; empty when the type suffices
 */
public record Fabric(String type, String name) {}
