package io.spillway.policies.schema;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** The kinds of document, each with a JSON Schema. */
public enum DocumentKind {
  DEFAULTS("Defaults"),
  PRIORITY_CLASS("PriorityClass"),
  COHORT("Cohort"),
  CLUSTER("Cluster"),
  POOL("Pool"),
  PRICE_OVERRIDE("PriceOverride"),
  QUEUE("Queue");

  /** The one version of the format. */
  public static final String API_VERSION = "spillway.io/v1beta1";

  private final String text;

  DocumentKind(String text) {
    this.text = text;
  }

  /** As documents write it. */
  public String text() {
    return text;
  }

  /** The {@code $id} of its schema. */
  public String schemaId() {
    return "https://spillway.io/schema/v1beta1/" + text.toLowerCase(Locale.ROOT) + ".json";
  }

  public static Optional<DocumentKind> of(String text) {
    return Arrays.stream(values()).filter(kind -> kind.text.equals(text)).findFirst();
  }

  public static List<String> texts() {
    return Arrays.stream(values()).map(DocumentKind::text).toList();
  }
}
