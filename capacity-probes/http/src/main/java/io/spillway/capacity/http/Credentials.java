package io.spillway.capacity.http;

import io.spillway.capacity.spi.AccountSettings;

/** Reads an account's credentials; says which is missing and never what one is. */
public final class Credentials {
  private Credentials() {}

  /**
   * @throws IllegalArgumentException if it is missing, blank, or cannot stand in a header
   */
  public static String required(AccountSettings account, String key) {
    String value = account.credentials().getOrDefault(key, "").strip();
    if (value.isEmpty()) {
      throw new IllegalArgumentException("credentials." + key + " is missing");
    }
    if (!value.chars().allMatch(c -> c > ' ' && c < 0x7F)) {
      throw new IllegalArgumentException("credentials." + key + " has characters that no key has");
    }
    return value;
  }

  /** The value, or that other one when it is missing or blank. */
  public static String orElse(AccountSettings account, String key, String otherwise) {
    String value = account.credentials().getOrDefault(key, "").strip();
    return value.isEmpty() ? otherwise : value;
  }
}
