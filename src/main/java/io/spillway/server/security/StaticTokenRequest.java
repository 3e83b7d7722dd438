package io.spillway.server.security;

import io.quarkus.security.identity.request.BaseAuthenticationRequest;

/** A bearer token to be looked up in the token file. */
final class StaticTokenRequest extends BaseAuthenticationRequest {
  private final String token;

  StaticTokenRequest(String token) {
    this.token = token;
  }

  String token() {
    return token;
  }
}
