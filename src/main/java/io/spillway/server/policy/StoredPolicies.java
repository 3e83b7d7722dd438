package io.spillway.server.policy;

import io.spillway.policies.source.SourceFile;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;

/**
 * One version of the policies as it was written, comments and all.
 *
 * @param version hash of the canonical content
 * @param author user name, or {@code directory}
 * @param source {@code directory} or {@code api}
 */
public record StoredPolicies(
    String version, List<SourceFile> files, String author, String source, Instant createdAt) {

  public StoredPolicies {
    files = List.copyOf(files);
  }

  static JsonArray json(List<SourceFile> files) {
    JsonArray json = new JsonArray();
    files.forEach(
        file -> json.add(new JsonObject().put("name", file.name()).put("content", file.content())));
    return json;
  }

  static List<SourceFile> files(JsonArray json) {
    return IntStream.range(0, json.size())
        .mapToObj(json::getJsonObject)
        .map(file -> new SourceFile(file.getString("name"), file.getString("content")))
        .toList();
  }
}
