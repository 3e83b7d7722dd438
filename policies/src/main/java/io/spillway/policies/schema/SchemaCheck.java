package io.spillway.policies.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.networknt.schema.JsonNodePath;
import com.networknt.schema.JsonSchema;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SchemaLocation;
import com.networknt.schema.SchemaValidatorsConfig;
import com.networknt.schema.SpecVersion.VersionFlag;
import com.networknt.schema.ValidationMessage;
import io.spillway.policies.finding.Finding;
import io.spillway.policies.source.Tree;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The shape of a document against the JSON Schema of its kind: the same files that serve editors,
 * so that an editor and the server never disagree. Thread-safe. Schemas come from this module's
 * resources and from nowhere else.
 */
public final class SchemaCheck {
  /** Of one document; nobody reads more. */
  private static final int MOST = 100;

  private final Map<DocumentKind, JsonSchema> schemas = new EnumMap<>(DocumentKind.class);

  public SchemaCheck() {
    JsonSchemaFactory factory =
        JsonSchemaFactory.getInstance(
            VersionFlag.V202012,
            builder -> builder.schemaLoaders(load -> load.schemas(SchemaTexts.byId())));
    SchemaValidatorsConfig config =
        SchemaValidatorsConfig.builder().locale(Locale.ROOT).failFast(false).build();
    for (DocumentKind kind : DocumentKind.values()) {
      JsonSchema schema = factory.getSchema(SchemaLocation.of(kind.schemaId()), config);
      schema.initializeValidators();
      schemas.put(kind, schema);
    }
  }

  /** What the schema refuses, each with the place of the node or key that is meant. */
  public List<Finding> check(DocumentKind kind, Tree document, JsonNode json) {
    return schemas.get(kind).validate(json).stream()
        .limit(MOST)
        .map(message -> finding(document, message))
        .distinct()
        .toList();
  }

  private static Finding finding(Tree document, ValidationMessage message) {
    JsonNodePath path = message.getInstanceLocation();
    Object[] steps = new Object[path.getNameCount()];
    for (int i = 0; i < steps.length; i++) {
      steps[i] = path.getElement(i);
    }
    return SchemaFinding.of(document.nearest(steps), message);
  }
}
