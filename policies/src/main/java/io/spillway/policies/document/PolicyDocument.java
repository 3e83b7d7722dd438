package io.spillway.policies.document;

import com.fasterxml.jackson.databind.JsonNode;
import io.spillway.policies.schema.DocumentKind;
import io.spillway.policies.source.Tree;

/**
 * One document of a set, its shape checked.
 *
 * @param json its canonical content: keys sorted, comments and format gone
 */
public record PolicyDocument(DocumentKind kind, String name, Tree.Mapping tree, JsonNode json) {

  /** For example {@code Queue/research}. */
  public String title() {
    return kind.text() + '/' + name;
  }
}
