package io.spillway.verify.scenarios;

import java.util.Arrays;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * One row of {@code docs/scenarios.csv}.
 *
 * @param id three letters, a dash, two digits
 * @param reason why there is no test; empty if and only if the status is {@link Status#TESTS}
 */
record Scenario(String id, Family family, String title, Status status, String reason) {
  private static final Pattern ID = Pattern.compile("[A-Z]{3}-\\d{2}");

  Scenario {
    if (!ID.matcher(id).matches()) {
      throw new IllegalArgumentException("not an id (ABC-12): '" + id + "'");
    }
    if (title.isBlank()) {
      throw new IllegalArgumentException(id + ": the title must be given");
    }
    if ((status == Status.TESTS) != reason.isBlank()) {
      throw new IllegalArgumentException(
          id + ": a reason belongs to a scenario without tests, and to no other");
    }
  }

  enum Status {
    TESTS("tests"),
    LATER("later"),
    NOT_APPLICABLE("not-applicable");

    private final String text;

    Status(String text) {
      this.text = text;
    }

    static Status of(String text) {
      return Arrays.stream(values())
          .filter(status -> status.text.equals(text))
          .findFirst()
          .orElseThrow(
              () ->
                  new IllegalArgumentException(
                      "'%s' is no status: one of %s"
                          .formatted(
                              text,
                              Arrays.stream(values())
                                  .map(s -> s.text)
                                  .collect(Collectors.joining(", ")))));
    }

    @Override
    public String toString() {
      return text;
    }
  }
}
