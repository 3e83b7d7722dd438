package io.spillway.policies.read;

import io.spillway.policies.document.PolicyDocument;
import io.spillway.policies.finding.Finding;
import io.spillway.policies.finding.FindingCode;
import io.spillway.policies.source.Tree;
import java.util.ArrayList;
import java.util.List;

/** Collects findings of one set. */
public final class Report {
  private final List<Finding> findings = new ArrayList<>();

  /** Something about that node. */
  public void at(Tree node, FindingCode code, String message) {
    findings.add(Finding.at(node.place(), node.path(), code, message));
  }

  /** Something about that key of the mapping; the mapping itself when it is not there. */
  public void atKey(Tree.Mapping mapping, String key, FindingCode code, String message) {
    String path = mapping.path().isEmpty() ? key : mapping.path() + '.' + key;
    findings.add(Finding.at(mapping.placeOfKey(key), path, code, message));
  }

  /** Something about a document as a whole, shown at its name. */
  public void about(PolicyDocument document, FindingCode code, String message) {
    Tree name = document.tree().nearest("metadata", "name");
    findings.add(Finding.at(name.place(), name.path(), code, document.title() + ": " + message));
  }

  /** All findings, errors first, then by place. */
  public List<Finding> findings() {
    return findings.stream().sorted().distinct().toList();
  }
}
