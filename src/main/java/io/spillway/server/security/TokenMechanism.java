package io.spillway.server.security;

import io.quarkus.security.identity.IdentityProviderManager;
import io.quarkus.security.identity.SecurityIdentity;
import io.quarkus.security.identity.request.AuthenticationRequest;
import io.quarkus.vertx.http.runtime.security.ChallengeData;
import io.quarkus.vertx.http.runtime.security.HttpAuthenticationMechanism;
import io.quarkus.vertx.http.runtime.security.HttpCredentialTransport;
import io.quarkus.vertx.http.runtime.security.HttpSecurityUtils;
import io.smallrye.mutiny.Uni;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.Locale;
import java.util.Set;

/**
 * {@code Authorization: Bearer <token>} with a token of the file. What looks like a JWT is left to
 * OIDC when that is on.
 */
@ApplicationScoped
public class TokenMechanism implements HttpAuthenticationMechanism {
  private static final String SCHEME = "bearer ";
  private static final int BEFORE_OIDC = 2_000;

  private final AuthConfig config;

  TokenMechanism(AuthConfig config) {
    this.config = config;
  }

  @Override
  public Uni<SecurityIdentity> authenticate(
      RoutingContext context, IdentityProviderManager providers) {
    String header = context.request().getHeader("Authorization");
    if (header == null || !header.toLowerCase(Locale.ROOT).startsWith(SCHEME)) {
      return Uni.createFrom().nullItem();
    }
    String token = header.substring(SCHEME.length()).trim();
    if (config.oidc().enabled() && looksLikeJwt(token)) {
      return Uni.createFrom().nullItem();
    }
    return providers.authenticate(
        HttpSecurityUtils.setRoutingContextAttribute(new StaticTokenRequest(token), context));
  }

  @Override
  public Uni<ChallengeData> getChallenge(RoutingContext context) {
    return Uni.createFrom().item(new ChallengeData(401, "WWW-Authenticate", "Bearer"));
  }

  @Override
  public Set<Class<? extends AuthenticationRequest>> getCredentialTypes() {
    return Set.of(StaticTokenRequest.class);
  }

  @Override
  public Uni<HttpCredentialTransport> getCredentialTransport(RoutingContext context) {
    return Uni.createFrom()
        .item(new HttpCredentialTransport(HttpCredentialTransport.Type.AUTHORIZATION, "bearer"));
  }

  @Override
  public int getPriority() {
    return BEFORE_OIDC;
  }

  private static boolean looksLikeJwt(String token) {
    return token.startsWith("eyJ") && token.chars().filter(c -> c == '.').count() == 2;
  }
}
