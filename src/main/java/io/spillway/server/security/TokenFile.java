package io.spillway.server.security;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import io.spillway.scheduler.model.DnsLabel;
import io.spillway.scheduler.model.QueueName;
import io.spillway.server.json.Faults;
import io.spillway.server.json.JsonFields;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.regex.Pattern;

/**
 * The token file's text: a YAML list of {@code name}, {@code sha256}, {@code role}, {@code queues}.
 */
final class TokenFile {
  private static final ObjectMapper YAML = new ObjectMapper(new YAMLFactory());
  private static final Pattern HASH = Pattern.compile("[0-9a-f]{64}");

  private TokenFile() {}

  /**
   * All entries, or none at all.
   *
   * @throws IllegalArgumentException that names every fault; it never holds a hash
   */
  static List<TokenEntry> parse(String yaml) {
    JsonNode root = tree(yaml);
    if (root == null || root.isNull() || root.isMissingNode()) {
      return List.of();
    }
    if (!root.isArray()) {
      throw new IllegalArgumentException("the token file must be a list");
    }
    Faults faults = new Faults();
    List<TokenEntry> entries = new ArrayList<>();
    int index = 0;
    for (JsonNode item : root) {
      String place = "[" + index++ + "]";
      if (item instanceof ObjectNode object) {
        entry(new JsonFields(place, object, faults)).ifPresent(entries::add);
      } else {
        faults.add(place, "must be an object, not " + JsonFields.kind(item));
      }
    }
    if (!faults.isEmpty()) {
      throw new IllegalArgumentException("token file: " + faults.errors());
    }
    return List.copyOf(entries);
  }

  private static JsonNode tree(String yaml) {
    try {
      return YAML.readTree(yaml);
    } catch (JsonProcessingException e) {
      String place = e.getLocation() == null ? "" : " at line " + e.getLocation().getLineNr();
      throw new IllegalArgumentException("the token file is not YAML" + place, e);
    }
  }

  private static Optional<TokenEntry> entry(JsonFields fields) {
    Optional<String> name = fields.requiredText("name", 100);
    Optional<String> hash = fields.requiredText("sha256", 64);
    if (hash.isPresent() && !HASH.matcher(hash.get()).matches()) {
      fields.fault("sha256", "must be 64 hexadecimal digits in lower case");
      hash = Optional.empty();
    }
    Optional<Role> role = fields.requiredText("role", 40).flatMap(text -> role(fields, text));
    TreeSet<QueueName> queues = new TreeSet<>(fields.list("queues", 1000, 63, TokenFile::queue));
    if (role.filter(Role.SUBMITTER::equals).isPresent() && queues.isEmpty()) {
      fields.fault("queues", "a submitter needs at least one queue");
    }
    fields.end();
    if (name.isEmpty() || hash.isEmpty() || role.isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(new TokenEntry(name.get(), hash.get(), role.get(), queues));
  }

  private static Optional<Role> role(JsonFields fields, String text) {
    Optional<Role> role = Role.of(text);
    if (role.isEmpty()) {
      fields.fault("role", "must be viewer, submitter, operator, admin or event-source");
    }
    return role;
  }

  private static QueueName queue(String text) {
    if (!DnsLabel.isValid(text)) {
      throw new IllegalArgumentException("must be a queue's name");
    }
    return new QueueName(text);
  }
}
