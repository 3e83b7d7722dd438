package io.spillway.policies.read;

import io.spillway.policies.document.PolicyDocument;
import io.spillway.policies.finding.Finding;
import io.spillway.policies.finding.FindingCode;
import io.spillway.policies.finding.Severity;
import io.spillway.policies.source.Tree;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Collects findings of one set. */
public final class Report {
  /** Nobody reads more; a hostile set could bring millions. */
  private static final int MOST = 1_000;

  private final List<Finding> errors = new ArrayList<>();
  private final List<Finding> warnings = new ArrayList<>();

  /** Something about that node. */
  public void at(Tree node, FindingCode code, String message) {
    add(Finding.at(node.place(), node.path(), code, message));
  }

  /** Something about that key of the mapping; the mapping itself when it is not there. */
  public void atKey(Tree.Mapping mapping, String key, FindingCode code, String message) {
    String path = mapping.path().isEmpty() ? key : mapping.path() + '.' + key;
    add(Finding.at(mapping.placeOfKey(key), path, code, message));
  }

  /** Something about a document as a whole, shown at its name. */
  public void about(PolicyDocument document, FindingCode code, String message) {
    Tree name = document.tree().nearest("metadata", "name");
    add(Finding.at(name.place(), name.path(), code, document.title() + ": " + message));
  }

  /** Whether further errors are dropped, so that nobody need think of hints for them. */
  public boolean full() {
    return errors.size() >= MOST;
  }

  /** The findings, errors first, then by place; at most a thousand of each severity. */
  public List<Finding> findings() {
    return Stream.concat(errors.stream(), warnings.stream()).sorted().distinct().toList();
  }

  private void add(Finding finding) {
    List<Finding> kept = finding.severity() == Severity.ERROR ? errors : warnings;
    if (kept.size() < MOST) {
      kept.add(finding);
    }
  }
}
