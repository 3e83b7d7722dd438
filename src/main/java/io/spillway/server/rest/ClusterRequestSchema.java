package io.spillway.server.rest;

import org.eclipse.microprofile.openapi.annotations.media.Schema;

/** The form of a registration for the API document. */
@Schema(name = "ClusterRequest", description = "A cluster to register")
public record ClusterRequestSchema(@Schema(required = true) String name) {}
