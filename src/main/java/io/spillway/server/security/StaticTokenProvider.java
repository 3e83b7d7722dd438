package io.spillway.server.security;

import io.quarkus.security.AuthenticationFailedException;
import io.quarkus.security.identity.AuthenticationRequestContext;
import io.quarkus.security.identity.IdentityProvider;
import io.quarkus.security.identity.SecurityIdentity;
import io.quarkus.security.runtime.QuarkusPrincipal;
import io.quarkus.security.runtime.QuarkusSecurityIdentity;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;

/** Turns a known token into an identity. */
@ApplicationScoped
public class StaticTokenProvider implements IdentityProvider<StaticTokenRequest> {
  private final Tokens tokens;

  StaticTokenProvider(Tokens tokens) {
    this.tokens = tokens;
  }

  @Override
  public Class<StaticTokenRequest> getRequestType() {
    return StaticTokenRequest.class;
  }

  @Override
  public Uni<SecurityIdentity> authenticate(
      StaticTokenRequest request, AuthenticationRequestContext context) {
    return Uni.createFrom()
        .item(
            () ->
                tokens
                    .find(request.token())
                    .map(StaticTokenProvider::identity)
                    .orElseThrow(() -> new AuthenticationFailedException("unknown token")));
  }

  private static SecurityIdentity identity(TokenEntry entry) {
    return QuarkusSecurityIdentity.builder()
        .setPrincipal(new QuarkusPrincipal(entry.name()))
        .addRole(entry.role().text())
        .addAttribute(
            CurrentCaller.QUEUES, entry.queues().stream().map(queue -> queue.value()).toList())
        .build();
  }
}
