package io.spillway.capacity.aws;

import io.spillway.capacity.http.Prices;
import io.spillway.capacity.spi.AccountSettings;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import software.amazon.awssdk.profiles.ProfileFile;

/** What can be said of an account's settings without asking anybody. */
final class AwsSettings {
  static final String ACCESS_KEY = "access-key-id";
  static final String SECRET_KEY = "secret-access-key";
  static final String SESSION_TOKEN = "session-token";
  static final String PROFILE = "profile";
  static final String ROLE = "role-arn";
  static final String EXTERNAL_ID = "external-id";

  private static final Set<String> KEYS =
      Set.of(ACCESS_KEY, SECRET_KEY, SESSION_TOKEN, PROFILE, ROLE, EXTERNAL_ID);
  private static final Pattern REGION = Pattern.compile("[a-z]{2,4}(?:-[a-z]+){1,3}-\\d{1,2}");

  private AwsSettings() {}

  /**
   * @throws IllegalArgumentException naming the first setting that cannot work
   */
  static void check(AccountSettings account) {
    for (String region : account.regions()) {
      if (!REGION.matcher(region).matches()) {
        throw new IllegalArgumentException("regions: '" + region + "' is no AWS region");
      }
    }
    Prices.of(account);
    Set<String> unknown = new TreeSet<>(account.credentials().keySet());
    unknown.removeAll(KEYS);
    if (!unknown.isEmpty()) {
      throw new IllegalArgumentException(
          "credentials." + unknown.iterator().next() + ": not one of " + new TreeSet<>(KEYS));
    }
    together(account, ACCESS_KEY, SECRET_KEY);
    together(account, SECRET_KEY, ACCESS_KEY);
    together(account, SESSION_TOKEN, ACCESS_KEY);
    together(account, EXTERNAL_ID, ROLE);
    checkBase(account);
  }

  private static void checkBase(AccountSettings account) {
    String profile = account.credentials().get(PROFILE);
    if (profile == null) {
      return;
    }
    if (account.credentials().containsKey(ACCESS_KEY)) {
      throw new IllegalArgumentException("credentials.profile: not together with an access key");
    }
    if (ProfileFile.defaultProfileFile().profile(profile).isEmpty()) {
      throw new IllegalArgumentException(
          "credentials.profile: the AWS configuration files have no profile '" + profile + "'");
    }
  }

  private static void together(AccountSettings account, String key, String needs) {
    if (account.credentials().containsKey(key) && !account.credentials().containsKey(needs)) {
      throw new IllegalArgumentException("credentials." + needs + ": needed with " + key);
    }
  }
}
