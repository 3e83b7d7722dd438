package io.spillway.server.rest;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.spillway.policies.source.SourceFile;
import io.spillway.server.json.Faults;
import io.spillway.server.json.JsonFields;
import io.spillway.server.json.Texts;
import io.spillway.server.problem.ProblemType;
import io.spillway.server.problem.Refused;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** A policy set in a request's body: one file, YAML or JSON. */
final class PolicyBody {
  static final String YAML = "application/yaml";

  private static final int MAX_BYTES = 4 * 1024 * 1024;

  private PolicyBody() {}

  /** The body of a rollback. */
  record Rollback(String version) {}

  static List<SourceFile> files(byte[] body, String contentType) {
    if (body.length > MAX_BYTES) {
      throw new Refused(
          ProblemType.BODY_TOO_LARGE,
          "the body has " + body.length + " bytes, at most " + MAX_BYTES + " are taken");
    }
    boolean json = contentType != null && contentType.toLowerCase(Locale.ROOT).contains("json");
    return List.of(new SourceFile(json ? "body.json" : "body.yaml", text(body)));
  }

  /** What If-Match names, without the quotes of an entity tag. */
  static String version(String ifMatch) {
    String tag = ifMatch.trim();
    return tag.length() > 1 && tag.startsWith("\"") && tag.endsWith("\"")
        ? tag.substring(1, tag.length() - 1)
        : tag;
  }

  static String rollback(ObjectNode body) {
    Faults faults = new Faults();
    JsonFields fields = new JsonFields("", body, faults);
    Optional<String> version = fields.requiredText("version", 128);
    fields.end();
    faults.refuse(ProblemType.INVALID_BODY);
    return version.orElseThrow();
  }

  private static String text(byte[] body) {
    try {
      String text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(body)).toString();
      if (!Texts.isStorable(text)) {
        throw new Refused(ProblemType.INVALID_POLICY, "the body holds a NUL character");
      }
      return text;
    } catch (CharacterCodingException e) {
      throw new Refused(ProblemType.INVALID_POLICY, "the body is not UTF-8");
    }
  }
}
