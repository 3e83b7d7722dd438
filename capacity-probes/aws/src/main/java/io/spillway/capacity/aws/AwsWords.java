package io.spillway.capacity.aws;

import io.spillway.capacity.spi.FailureClassifier.Failure;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * AWS's several clothes for one code: CloudTrail puts {@code Server.} or {@code Client.} before it,
 * the API and fleets write it as XML, Auto Scaling puts a dash behind it. Pure.
 */
final class AwsWords {
  private static final int READ = 1_024;

  private static final Pattern SIDE = Pattern.compile("^(?:Server|Client)\\.(?=[A-Z])");

  /** Only these elements are the service's word; others may echo what a user wrote. */
  private static final Pattern ELEMENT =
      Pattern.compile("(?i)<(?:error)?(code|message)>([^<]*+)</");

  private static final Pattern DASHED = Pattern.compile("\\b([A-Z][A-Za-z]{4,60}) - ");

  private AwsWords() {}

  /** The refusal with a bare code and codes of its message where they are looked for. */
  static Failure plain(Failure told) {
    String code = told.code() == null ? "" : bare(told.code());
    String message = told.message() == null ? "" : told.message();
    String read = message.length() > READ ? message.substring(0, READ) : message;
    return new Failure(
        told.key(),
        code,
        DASHED.matcher(unwrapped(read)).replaceAll("$1: "),
        told.httpStatus(),
        told.at());
  }

  /** The code without CloudTrail's side. */
  static String bare(String code) {
    return SIDE.matcher(code).replaceFirst("");
  }

  private static String unwrapped(String message) {
    Matcher element = ELEMENT.matcher(message);
    StringBuilder said = new StringBuilder();
    while (element.find()) {
      boolean isCode = element.group(1).equalsIgnoreCase("code");
      said.append(element.group(2)).append(isCode ? ": " : "; ");
    }
    return said.isEmpty() ? message : said.toString();
  }
}
