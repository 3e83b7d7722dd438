package io.spillway.capacity.testkit;

import java.util.List;
import java.util.Random;

/** Hostile text from a seed: fragments that mean something, in orders that do not. */
final class Noise {
  private static final List<String> FRAGMENTS =
      List.of(
          "InsufficientInstanceCapacity",
          "Out of host capacity.",
          "limit of 0",
          "'",
          "\"",
          "`",
          "((((",
          "message\": \"",
          "\\\"",
          "$1\\",
          "name=",
          "value (",
          "occurred (",
          "a-b_c.d/e:f@g",
          "\u0000",
          "\uD800",
          "\u202E",
          "💥",
          "İ",
          " ",
          "\n",
          ":",
          ",",
          "9999999999999999999999");

  private Noise() {}

  static String text(Random random, int length) {
    StringBuilder text = new StringBuilder();
    while (text.length() < length && random.nextInt(40) != 0) {
      if (random.nextInt(3) == 0) {
        text.append((char) random.nextInt(0x10000));
      } else {
        text.append(FRAGMENTS.get(random.nextInt(FRAGMENTS.size())));
      }
    }
    return text.toString();
  }
}
