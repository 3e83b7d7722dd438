/**
 * The REST API under {@code /api/v1}. A resource parses, demands a capability, calls one use case
 * and maps the answer; everything else lives in the packages it calls. All resources share one
 * class path, so that verbs ({@code /jobs/{id}:cancel}) and plain paths are matched by one router.
 * What the contract names and this version lacks is answered with 501, in {@link
 * io.spillway.server.rest.NotYetResource}.
 */
package io.spillway.server.rest;
