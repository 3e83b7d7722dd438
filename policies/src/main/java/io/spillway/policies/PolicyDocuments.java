package io.spillway.policies;

import com.fasterxml.jackson.databind.JsonNode;
import io.spillway.policies.document.PolicyDocument;
import io.spillway.policies.finding.Finding;
import io.spillway.policies.finding.FindingCode;
import io.spillway.policies.schema.DidYouMean;
import io.spillway.policies.schema.DocumentKind;
import io.spillway.policies.schema.SchemaCheck;
import io.spillway.policies.schema.TreeJson;
import io.spillway.policies.source.SourceFile;
import io.spillway.policies.source.Sources;
import io.spillway.policies.source.Tree;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The documents of a set as far as each can be understood alone.
 *
 * @param documents those whose shape is right, by kind, then name
 * @param findings what is wrong with the others
 */
public record PolicyDocuments(List<PolicyDocument> documents, List<Finding> findings) {

  /** After so many findings no further document is looked at: nobody reads more. */
  private static final int MOST = 1_000;

  public PolicyDocuments {
    documents = List.copyOf(documents);
    findings = List.copyOf(findings);
  }

  /**
   * Reads files and checks the shape of every document. Never throws for what the files hold.
   * Thread-safe.
   */
  public static PolicyDocuments parse(List<SourceFile> files) {
    List<Finding> findings = new ArrayList<>();
    Map<String, PolicyDocument> documents = new LinkedHashMap<>();
    for (Tree tree : Sources.read(files, finding -> keep(findings, finding))) {
      if (findings.size() >= MOST) {
        break;
      }
      Optional<PolicyDocument> document = document(tree, findings);
      document.ifPresent(
          found -> {
            PolicyDocument first = documents.putIfAbsent(found.title(), found);
            if (first != null) {
              findings.add(twice(first, found));
            }
          });
    }
    List<PolicyDocument> sorted =
        documents.values().stream()
            .sorted(
                java.util.Comparator.comparing(PolicyDocument::kind)
                    .thenComparing(PolicyDocument::name))
            .toList();
    return new PolicyDocuments(sorted, findings.stream().sorted().toList());
  }

  private static void keep(List<Finding> findings, Finding finding) {
    if (findings.size() < MOST) {
      findings.add(finding);
    }
  }

  private static Optional<PolicyDocument> document(Tree tree, List<Finding> findings) {
    if (!(tree instanceof Tree.Mapping mapping)) {
      findings.add(
          Finding.at(
              tree.place(),
              "",
              FindingCode.NOT_A_DOCUMENT,
              "a document is a mapping with apiVersion, kind and metadata"));
      return Optional.empty();
    }
    Optional<DocumentKind> kind = kind(mapping, findings);
    if (kind.isEmpty()) {
      return Optional.empty();
    }
    JsonNode json = TreeJson.of(tree);
    List<Finding> shape = Schemas.CHECK.check(kind.get(), tree, json);
    findings.addAll(shape);
    return shape.isEmpty()
        ? Optional.of(
            new PolicyDocument(
                kind.get(), json.path("metadata").path("name").asText(), mapping, json))
        : Optional.empty();
  }

  private static Optional<DocumentKind> kind(Tree.Mapping document, List<Finding> findings) {
    Tree version = document.nearest("apiVersion");
    if (!(version instanceof Tree.Scalar written)
        || !written.text().equals(DocumentKind.API_VERSION)) {
      findings.add(
          Finding.at(
              version.place(),
              "apiVersion",
              FindingCode.API_VERSION,
              "must be " + DocumentKind.API_VERSION));
      return Optional.empty();
    }
    String text = document.nearest("kind") instanceof Tree.Scalar scalar ? scalar.text() : "";
    Optional<DocumentKind> kind = DocumentKind.of(text);
    if (kind.isEmpty()) {
      findings.add(
          Finding.at(
              document.nearest("kind").place(),
              "kind",
              FindingCode.UNKNOWN_KIND,
              "must be one of "
                  + String.join(", ", DocumentKind.texts())
                  + DidYouMean.among(DocumentKind.texts(), text)));
    }
    return kind;
  }

  private static Finding twice(PolicyDocument first, PolicyDocument second) {
    Tree name = second.tree().nearest("metadata", "name");
    return Finding.at(
        name.place(),
        name.path(),
        FindingCode.DUPLICATE_DOCUMENT,
        "%s stands twice; first in %s, line %d"
            .formatted(second.title(), first.tree().place().file(), first.tree().place().line()));
  }

  /** Built once, at first use: reading the schemas takes longer than any set. */
  private static final class Schemas {
    static final SchemaCheck CHECK = new SchemaCheck();
  }
}
