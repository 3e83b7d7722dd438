package io.spillway.agent.attempt;

import java.util.regex.Pattern;

/** What an attempt's id looks like: the job's ULID, a dash, the number of the try. */
public final class AttemptIds {
  private static final Pattern FORM =
      Pattern.compile("[0-9ABCDEFGHJKMNPQRSTVWXYZ]{26}-[1-9][0-9]{0,8}");

  private AttemptIds() {}

  /** Ids end up in names and labels, so that no other form is taken. */
  public static boolean isValid(String text) {
    return FORM.matcher(text).matches();
  }
}
