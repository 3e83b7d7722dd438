package io.spillway.server.rest;

import jakarta.ws.rs.container.ContainerRequestContext;
import java.net.URI;
import java.util.regex.Pattern;
import org.jboss.resteasy.reactive.server.ServerRequestFilter;

/**
 * Reads {@code %3A} in a path as the colon before a verb: many HTTP clients escape it, and no name
 * in a path holds one.
 */
public class VerbPaths {
  private static final Pattern ESCAPED = Pattern.compile("%3[Aa]");

  /** Runs before the resource is chosen. */
  @ServerRequestFilter(preMatching = true)
  public void unescape(ContainerRequestContext request) {
    URI uri = request.getUriInfo().getRequestUri();
    String path = uri.getRawPath();
    if (path == null || !path.contains("%3")) {
      return;
    }
    String query = uri.getRawQuery() == null ? "" : "?" + uri.getRawQuery();
    String plain = ESCAPED.matcher(path).replaceAll(":");
    request.setRequestUri(
        URI.create(uri.getScheme() + "://" + uri.getRawAuthority() + plain + query));
  }
}
