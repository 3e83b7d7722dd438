package io.spillway.server.rest;

import java.util.Map;
import org.eclipse.microprofile.openapi.annotations.media.Schema;

/** The form of a patch for the API document. */
@Schema(name = "JobPatch", description = "A JSON merge patch; a label with null is removed")
public record JobPatchSchema(String priorityClass, Map<String, String> labels) {}
