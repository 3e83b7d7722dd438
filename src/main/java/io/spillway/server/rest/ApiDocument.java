package io.spillway.server.rest;

import io.spillway.server.problem.Problem;
import jakarta.ws.rs.ApplicationPath;
import jakarta.ws.rs.core.Application;
import org.eclipse.microprofile.openapi.annotations.Components;
import org.eclipse.microprofile.openapi.annotations.OpenAPIDefinition;
import org.eclipse.microprofile.openapi.annotations.enums.SecuritySchemeType;
import org.eclipse.microprofile.openapi.annotations.info.Info;
import org.eclipse.microprofile.openapi.annotations.info.License;
import org.eclipse.microprofile.openapi.annotations.media.Content;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.security.SecurityRequirement;
import org.eclipse.microprofile.openapi.annotations.security.SecurityScheme;

/** The API document's head and shared parts. */
@ApplicationPath("/")
@OpenAPIDefinition(
    info =
        @Info(
            title = "Spillway",
            version = "v1",
            description =
                "Queues GPU jobs and places each on the cheapest capacity that its queue's policy"
                    + " allows. Every error is an RFC 9457 problem.",
            license =
                @License(name = "Apache-2.0", url = "https://www.apache.org/licenses/LICENSE-2.0")),
    security = @SecurityRequirement(name = "token"),
    components =
        @Components(
            securitySchemes =
                @SecurityScheme(
                    securitySchemeName = "token",
                    type = SecuritySchemeType.HTTP,
                    scheme = "bearer",
                    description = "A token of the token file, or a JWT when OIDC is on"),
            responses =
                @APIResponse(
                    name = "Problem",
                    description = "Any error",
                    content =
                        @Content(
                            mediaType = "application/problem+json",
                            schema = @Schema(implementation = Problem.class)))))
public class ApiDocument extends Application {}
