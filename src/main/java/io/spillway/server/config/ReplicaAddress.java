package io.spillway.server.config;

/** Where other replicas reach this one's HTTP port: {@code host:port}, or a URL. */
public record ReplicaAddress(String value) {}
