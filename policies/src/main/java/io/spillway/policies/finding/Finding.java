package io.spillway.policies.finding;

import java.util.Comparator;

/**
 * Something wrong or odd, with its place.
 *
 * @param line from 1
 * @param column from 1
 * @param path within the document, for example {@code spec.placement.ladder[0].until}; empty for
 *     the document itself
 */
public record Finding(
    FindingCode code,
    Severity severity,
    String file,
    int line,
    int column,
    String path,
    String message)
    implements Comparable<Finding> {
  private static final Comparator<Finding> ORDER =
      Comparator.comparing(Finding::severity)
          .thenComparing(Finding::file)
          .thenComparingInt(Finding::line)
          .thenComparingInt(Finding::column)
          .thenComparing(Finding::code)
          .thenComparing(Finding::message);

  /** A finding of the code's own severity. */
  public static Finding at(Place place, String path, FindingCode code, String message) {
    return new Finding(
        code, code.severity(), place.file(), place.line(), place.column(), path, message);
  }

  /** One line as compilers print it: {@code file:line:column: severity CODE path: message}. */
  public String text() {
    return "%s:%d:%d: %s %s%s: %s"
        .formatted(
            file,
            line,
            column,
            severity == Severity.ERROR ? "error" : "warning",
            code,
            path.isEmpty() ? "" : " " + path,
            message);
  }

  /** Errors first, then by place. */
  @Override
  public int compareTo(Finding other) {
    return ORDER.compare(this, other);
  }
}
