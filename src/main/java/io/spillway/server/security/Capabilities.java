package io.spillway.server.security;

import io.quarkus.security.identity.AuthenticationRequestContext;
import io.quarkus.security.identity.SecurityIdentity;
import io.quarkus.security.identity.SecurityIdentityAugmentor;
import io.quarkus.security.runtime.QuarkusSecurityIdentity;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;

/** Adds to every identity, wherever it came from, what its roles can do. */
@ApplicationScoped
public class Capabilities implements SecurityIdentityAugmentor {

  @Override
  public Uni<SecurityIdentity> augment(
      SecurityIdentity identity, AuthenticationRequestContext context) {
    if (identity.isAnonymous()) {
      return Uni.createFrom().item(identity);
    }
    QuarkusSecurityIdentity.Builder builder = QuarkusSecurityIdentity.builder(identity);
    CurrentCaller.roles(identity).forEach(role -> builder.addRoles(role.capabilities()));
    return Uni.createFrom().item(builder.build());
  }
}
