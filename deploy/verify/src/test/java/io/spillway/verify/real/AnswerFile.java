package io.spillway.verify.real;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Answers of a provider in a file of the tests, each with a heading and its source. */
final class AnswerFile {
  private AnswerFile() {}

  /**
   * An answer.
   *
   * @param heading words that say which request it answers
   */
  record Answer(List<String> heading, String body) {}

  /**
   * @param name of the resource
   * @throws IllegalStateException if an answer does not name its source
   */
  static List<Answer> read(String name) throws IOException {
    try (InputStream file = AnswerFile.class.getResourceAsStream(name)) {
      return parse(new String(file.readAllBytes(), StandardCharsets.UTF_8));
    }
  }

  private static List<Answer> parse(String file) {
    List<Answer> all = new ArrayList<>();
    String[] sections = file.split("(?m)^=== ");
    for (String section : Arrays.asList(sections).subList(1, sections.length)) {
      String[] parts = section.split("\n", 3);
      if (!parts[1].startsWith("source: ")) {
        throw new IllegalStateException("an answer without its source: " + parts[0]);
      }
      all.add(new Answer(Arrays.asList(parts[0].strip().split(" +")), parts[2].strip()));
    }
    return all;
  }
}
