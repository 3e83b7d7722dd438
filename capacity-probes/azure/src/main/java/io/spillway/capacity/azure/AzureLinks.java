package io.spillway.capacity.azure;

import io.spillway.capacity.http.HttpCall;
import io.spillway.capacity.http.JsonView;
import io.spillway.capacity.http.MalformedException;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * Links to next pages. Azure writes whole addresses; only path and query are taken from them, so
 * that no answer can send a token elsewhere.
 */
final class AzureLinks {
  private AzureLinks() {}

  /** The page after that one of the management interface. */
  static Optional<HttpCall> next(JsonView page) {
    return page.optionalText("nextLink").map(AzureLinks::call);
  }

  static HttpCall call(String link) {
    try {
      URI uri = URI.create(link);
      HttpCall call = HttpCall.get(uri.getRawPath() == null ? "" : uri.getRawPath());
      if (uri.getRawQuery() == null) {
        return call;
      }
      for (String parameter : uri.getRawQuery().split("&", -1)) {
        int equals = parameter.indexOf('=');
        if (equals > 0) {
          call =
              call.with(
                  decoded(parameter.substring(0, equals)),
                  decoded(parameter.substring(equals + 1)));
        }
      }
      return call;
    } catch (IllegalArgumentException e) {
      throw new MalformedException("the link to the next page is none");
    }
  }

  private static String decoded(String text) {
    return URLDecoder.decode(text, StandardCharsets.UTF_8);
  }
}
