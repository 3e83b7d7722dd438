package io.spillway.policies.source;

import io.spillway.policies.finding.Finding;
import io.spillway.policies.finding.FindingCode;
import io.spillway.policies.finding.Place;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;

/** Reads the files of a set. */
public final class Sources {
  private Sources() {}

  /**
   * The documents of all files, in the order of the files' names, and what is wrong with their
   * syntax. Never throws, whatever the files hold.
   */
  public static List<Tree> read(List<SourceFile> files, Consumer<Finding> findings) {
    List<Tree> documents = new ArrayList<>();
    long chars = 0;
    if (files.size() > Limits.MAX_FILES) {
      findings.accept(tooLarge(files.getLast(), "more than " + Limits.MAX_FILES + " files"));
      return List.of();
    }
    for (SourceFile file : files.stream().sorted(Comparator.comparing(SourceFile::name)).toList()) {
      chars += file.content().length();
      if (file.content().length() > Limits.MAX_FILE_CHARS) {
        findings.accept(tooLarge(file, "a file has at most 1 MiB"));
        continue;
      }
      if (chars > Limits.MAX_SET_CHARS) {
        findings.accept(tooLarge(file, "a set has at most 4 MiB"));
        return List.of();
      }
      documents.addAll(
          file.name().toLowerCase(Locale.ROOT).endsWith(".json")
              ? new JsonSource(file, findings).documents()
              : new YamlSource(file, findings).documents());
      if (documents.size() > Limits.MAX_DOCUMENTS) {
        findings.accept(tooLarge(file, "a set has at most 10,000 documents"));
        return List.of();
      }
    }
    return documents;
  }

  private static Finding tooLarge(SourceFile file, String why) {
    return Finding.at(new Place(file.name(), 1, 1), "", FindingCode.TOO_LARGE, why);
  }
}
