package io.spillway.server.providers;

import io.spillway.capacity.spi.AccountSettings;
import io.spillway.server.json.Durations;
import io.spillway.server.json.Texts;
import java.math.BigDecimal;
import java.net.URI;
import java.net.URISyntaxException;
import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.regex.Pattern;

/** Reads one account's texts. Every fault names the whole key, so that it can be found. */
final class AccountReader {
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,62}");
  private static final Pattern REGION = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,99}");
  private static final Duration USUAL = Duration.ofSeconds(60);
  private static final Duration SHORTEST = Duration.ofMillis(500);
  private static final Duration LONGEST = Duration.ofDays(1);
  private static final double LEAST_RATE = 0.01;
  private static final double MOST_RATE = 100;
  private static final int SHOWN = 60;

  /** The keys of an account; credentials have more below them. */
  private static final List<String> KEYS =
      List.of(
          "account-id",
          "regions",
          "interval",
          "discount",
          "call-rate",
          "endpoint",
          "credentials.<name>");

  private AccountReader() {}

  /**
   * @throws IllegalArgumentException the message names the key that is wrong
   */
  static AccountSettings read(String provider, String name, ProvidersConfig.Account texts) {
    String prefix = "spillway.providers." + provider + ".accounts." + name;
    if (!NAME.matcher(name).matches()) {
      throw new IllegalArgumentException(
          prefix + ": an account's name is made of letters, digits, '.', '_' and '-'");
    }
    refuseUnknown(prefix, texts.all());
    return new AccountSettings(
        name,
        texts.accountId().map(String::strip),
        regions(prefix + ".regions", texts.regions()),
        interval(prefix + ".interval", texts.interval()),
        discount(prefix + ".discount", texts.discount()),
        callRate(prefix + ".call-rate", texts.callRate()),
        endpoint(prefix + ".endpoint", texts.endpoint()),
        credentials(texts.credentials()));
  }

  /** An environment variable cannot say whether its _ was a dash, so all joints are one. */
  private static Map<String, String> credentials(Map<String, String> texts) {
    Map<String, String> credentials = new HashMap<>();
    texts.forEach((name, value) -> credentials.put(name.replaceAll("[._]", "-"), value.strip()));
    return credentials;
  }

  private static void refuseUnknown(String prefix, Map<String, String> all) {
    for (String key : new TreeSet<>(all.keySet())) {
      if (!KEYS.contains(key) && !key.startsWith("credentials.")) {
        throw new IllegalArgumentException(
            prefix + '.' + key + ": there is no such key; there are " + String.join(", ", KEYS));
      }
    }
  }

  private static List<String> regions(String key, Optional<String> text) {
    List<String> regions = new ArrayList<>();
    for (String part : text.map(t -> t.split(",", -1)).orElse(new String[0])) {
      String region = part.strip();
      if (!REGION.matcher(region).matches()) {
        throw wrong(key, part, "is no region; write them as r1,r2");
      }
      if (!regions.contains(region)) {
        regions.add(region);
      }
    }
    return regions;
  }

  private static Duration interval(String key, Optional<String> text) {
    if (text.isEmpty()) {
      return USUAL;
    }
    Duration interval = duration(key, text.get().strip());
    if (interval.compareTo(SHORTEST) < 0 || interval.compareTo(LONGEST) > 0) {
      throw wrong(key, text.get(), "is not between 500ms and 1d");
    }
    return interval;
  }

  /** As policies write them, or in ISO form as properties often do. */
  private static Duration duration(String key, String text) {
    try {
      return text.startsWith("P") ? Duration.parse(text) : Durations.parse(text);
    } catch (DateTimeParseException | IllegalArgumentException e) {
      throw wrong(key, text, "is no duration; write it as 30s, 5m or 1h");
    }
  }

  private static BigDecimal discount(String key, Optional<String> text) {
    if (text.isEmpty()) {
      return BigDecimal.ONE;
    }
    BigDecimal factor;
    try {
      factor = new BigDecimal(text.get().strip());
    } catch (NumberFormatException e) {
      throw wrong(key, text.get(), "is no number; 0.8 takes 20 % off list prices");
    }
    if (factor.signum() <= 0 || factor.compareTo(BigDecimal.ONE) > 0) {
      throw wrong(key, text.get(), "is no factor between 0 and 1; 0.8 takes 20 % off list prices");
    }
    return factor;
  }

  private static double callRate(String key, Optional<String> text) {
    if (text.isEmpty()) {
      return 1;
    }
    String why = "is no factor between 0.01 and 100; 0.5 halves how often the provider is called";
    double factor;
    try {
      factor = Double.parseDouble(text.get().strip());
    } catch (NumberFormatException e) {
      throw wrong(key, text.get(), why);
    }
    // Not a number is refused, too.
    if (!(factor >= LEAST_RATE && factor <= MOST_RATE)) {
      throw wrong(key, text.get(), why);
    }
    return factor;
  }

  private static Optional<URI> endpoint(String key, Optional<String> text) {
    if (text.isEmpty()) {
      return Optional.empty();
    }
    try {
      URI uri = new URI(text.get().strip());
      boolean web = "https".equals(uri.getScheme()) || "http".equals(uri.getScheme());
      if (!web || uri.getHost() == null || uri.getUserInfo() != null) {
        throw wrong(key, "", "must be an address such as https://api.example.com, without a user");
      }
      return Optional.of(uri);
    } catch (URISyntaxException e) {
      throw wrong(key, "", "must be an address such as https://api.example.com");
    }
  }

  private static IllegalArgumentException wrong(String key, String value, String why) {
    String shown = value.isEmpty() ? "" : " '" + Texts.printable(value, SHOWN) + "'";
    return new IllegalArgumentException(key + ":" + shown + ' ' + why);
  }
}
