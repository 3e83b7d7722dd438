package io.spillway.server.rest;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.quarkus.smallrye.openapi.OpenApiFilter;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.eclipse.microprofile.openapi.OASFactory;
import org.eclipse.microprofile.openapi.OASFilter;
import org.eclipse.microprofile.openapi.models.OpenAPI;
import org.eclipse.microprofile.openapi.models.Operation;
import org.eclipse.microprofile.openapi.models.media.Content;
import org.eclipse.microprofile.openapi.models.media.MediaType;
import org.eclipse.microprofile.openapi.models.responses.APIResponse;

/**
 * Completes the API document: every call gets its examples (from {@code openapi/examples.json}, by
 * operation id) and the problems that any call may answer with. Tests send the request examples to
 * the server.
 */
@OpenApiFilter(stages = OpenApiFilter.RunStage.BUILD)
public class DocumentFilter implements OASFilter {
  private static final String EXAMPLES = "/openapi/examples.json";

  private final Map<String, Example> examples = examples();

  /** A call's examples; either may be missing. */
  record Example(JsonNode request, JsonNode response) {}

  @Override
  public void filterOpenAPI(OpenAPI document) {
    document.getPaths().getPathItems().values().stream()
        .flatMap(path -> path.getOperations().values().stream())
        .forEach(this::complete);
  }

  static Map<String, Example> examples() {
    try (InputStream in = DocumentFilter.class.getResourceAsStream(EXAMPLES)) {
      return new TreeMap<>(
          new ObjectMapper().readValue(in, new TypeReference<Map<String, Example>>() {}));
    } catch (IOException e) {
      throw new UncheckedIOException(EXAMPLES, e);
    }
  }

  private void complete(Operation operation) {
    operation
        .getResponses()
        .addAPIResponse("default", OASFactory.createAPIResponse().ref("Problem"));
    Example example = examples.get(operation.getOperationId());
    if (example == null) {
      return;
    }
    if (example.request() != null && operation.getRequestBody() != null) {
      put(operation.getRequestBody().getContent(), example.request());
    }
    if (example.response() != null) {
      success(operation).ifPresent(response -> put(response.getContent(), example.response()));
    }
  }

  /** The best of the answers: 201 before 200 before 202. */
  private static Optional<APIResponse> success(Operation operation) {
    Map<String, APIResponse> all = operation.getResponses().getAPIResponses();
    return java.util.stream.Stream.of("201", "200", "202")
        .filter(all::containsKey)
        .findFirst()
        .map(all::get);
  }

  private static void put(Content content, JsonNode example) {
    if (content == null) {
      return;
    }
    for (MediaType type : content.getMediaTypes().values()) {
      type.setExample(new ObjectMapper().convertValue(example, Object.class));
    }
  }
}
