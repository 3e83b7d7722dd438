package io.spillway.policies.source;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import io.spillway.policies.finding.Finding;
import io.spillway.policies.finding.FindingCode;
import io.spillway.policies.finding.Place;
import io.spillway.policies.source.Tree.Mapping;
import io.spillway.policies.source.Tree.Member;
import io.spillway.policies.source.Tree.Scalar;
import io.spillway.policies.source.Tree.ScalarType;
import io.spillway.policies.source.Tree.Sequence;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** Reads JSON: one document, a list of documents, or documents one after the other. */
final class JsonSource {
  private static final JsonFactory JSON =
      JsonFactory.builder()
          .streamReadConstraints(
              StreamReadConstraints.builder()
                  .maxNestingDepth(Limits.MAX_DEPTH * 2)
                  .maxStringLength(Limits.MAX_FILE_CHARS)
                  .maxNumberLength(64)
                  .build())
          .build();

  private final SourceFile file;
  private final TreeBuilder builder;
  private final Consumer<Finding> findings;

  JsonSource(SourceFile file, Consumer<Finding> findings) {
    this.file = file;
    this.findings = findings;
    this.builder = new TreeBuilder(findings);
  }

  /** The documents of the file; none when the file is refused. */
  List<Tree> documents() {
    List<Tree> documents = new ArrayList<>();
    try (JsonParser parser = JSON.createParser(file.content())) {
      while (parser.nextToken() != null) {
        if (parser.currentToken() == JsonToken.START_ARRAY) {
          while (parser.nextToken() != JsonToken.END_ARRAY) {
            documents.add(node(parser, "", 0));
          }
        } else {
          documents.add(node(parser, "", 0));
        }
      }
      return documents;
    } catch (SourceRefused refused) {
      findings.accept(refused.finding());
    } catch (JsonProcessingException e) {
      JsonLocation at = e.getLocation();
      Place place = at == null || at.getLineNr() < 1 ? new Place(file.name(), 1, 1) : place(at);
      findings.accept(
          Finding.at(place, "", FindingCode.SYNTAX, "not JSON: " + e.getOriginalMessage()));
    } catch (IOException e) {
      throw new IllegalStateException("reading from memory failed", e);
    }
    return List.of();
  }

  private Tree node(JsonParser parser, String path, int depth) throws IOException, SourceRefused {
    Place place = place(parser.currentTokenLocation());
    builder.requireDepth(depth, place, path);
    return switch (parser.currentToken()) {
      case START_OBJECT -> mapping(parser, place, path, depth);
      case START_ARRAY -> sequence(parser, place, path, depth);
      case VALUE_TRUE, VALUE_FALSE -> new Scalar(place, path, ScalarType.BOOLEAN, parser.getText());
      case VALUE_NULL -> new Scalar(place, path, ScalarType.NULL, "null");
      case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> number(parser, place, path);
      default -> new Scalar(place, path, ScalarType.TEXT, parser.getText());
    };
  }

  private static Scalar number(JsonParser parser, Place place, String path) throws IOException {
    String text = parser.getText();
    return new Scalar(place, path, ScalarText.typeOf(text), text);
  }

  private Sequence sequence(JsonParser parser, Place place, String path, int depth)
      throws IOException, SourceRefused {
    List<Tree> items = new ArrayList<>();
    while (parser.nextToken() != JsonToken.END_ARRAY) {
      items.add(node(parser, TreeBuilder.below(path, items.size()), depth + 1));
    }
    return new Sequence(place, path, items);
  }

  private Mapping mapping(JsonParser parser, Place place, String path, int depth)
      throws IOException, SourceRefused {
    Map<String, Member> members = builder.members();
    while (parser.nextToken() != JsonToken.END_OBJECT) {
      Place keyPlace = place(parser.currentTokenLocation());
      String key = parser.currentName();
      parser.nextToken();
      Tree value = node(parser, TreeBuilder.below(path, key), depth + 1);
      builder.put(members, path, key, new Member(keyPlace, value));
    }
    return new Mapping(place, path, members);
  }

  private Place place(JsonLocation at) {
    return new Place(file.name(), at.getLineNr(), at.getColumnNr());
  }
}
