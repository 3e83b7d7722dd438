package io.spillway.capacity.http;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.spillway.capacity.spi.DefaultClassification;
import io.spillway.capacity.spi.FailureClassifier;
import io.spillway.capacity.spi.FailureTable;
import io.spillway.capacity.spi.FailureText;
import io.spillway.scheduler.model.CapacityFailure;
import java.util.List;
import java.util.Map;

/**
 * The classifier of a provider that speaks JSON over HTTP: its own table of codes and phrases, then
 * its own meaning of statuses, then {@link DefaultClassification}. A refusal whose code is not told
 * but whose message ends in the provider's JSON answer is read as that answer: controllers and
 * agents report it so.
 */
public final class HttpFailureClassifier implements FailureClassifier {
  private static final JsonMapper JSON = JsonMapper.builder().build();
  private static final int MAX_READ = 1_024;

  /** Where interfaces put the object that says what went wrong. */
  private static final List<String> INSIDE = List.of("error", "result", "errors", "details");

  private static final List<String> CODES =
      List.of("code", "error_code", "errorCode", "reason", "type");
  private static final List<String> MESSAGES = List.of("message", "error_message", "msg", "detail");

  private static final DefaultClassification DEFAULTS = new DefaultClassification();

  private final FailureTable table;
  private final Map<Integer, FailureTable.Ruling> byStatus;

  /**
   * @param byStatus what a status means at this provider when neither code nor words say more
   */
  public HttpFailureClassifier(FailureTable table, Map<Integer, FailureTable.Ruling> byStatus) {
    this.table = table;
    this.byStatus = Map.copyOf(byStatus);
  }

  @Override
  public CapacityFailure classify(Failure failure) {
    Failure told = opened(failure);
    FailureText text = FailureText.of(told);
    return table.classify(told, text).orElseGet(() -> otherwise(told, text));
  }

  private CapacityFailure otherwise(Failure failure, FailureText text) {
    FailureTable.Ruling ruling = byStatus.get(failure.httpStatus());
    return ruling == null
        ? DEFAULTS.classify(failure, text)
        : ruling.on(failure, text).of(failure, text);
  }

  /** The refusal inside a message that ends in a JSON object; else as it came. */
  static Failure opened(Failure failure) {
    String message = failure.message() == null ? "" : failure.message().strip();
    int brace = message.indexOf('{');
    if (brace < 0 || !message.endsWith("}") || message.length() > MAX_READ) {
      return failure;
    }
    try {
      JsonNode body = innermost(JSON.readTree(message.substring(brace)));
      String own = failure.code() == null ? "" : failure.code();
      String words = first(body, MESSAGES);
      String error = first(body, List.of("error"));
      String code = first(body, CODES);
      // One word is a code ("no_such_ask"), and so is what stands beside a message.
      boolean isCode = !words.isEmpty() || error.chars().noneMatch(Character::isWhitespace);
      code = code.isEmpty() && isCode ? error : code;
      words = words.isEmpty() ? error : words;
      return code.isEmpty() && words.isEmpty()
          ? failure
          : new Failure(
              failure.key(),
              code.isEmpty() ? own : code,
              words,
              failure.httpStatus(),
              failure.at());
    } catch (JsonProcessingException e) {
      // Not the provider's answer after all; it is read as prose.
      return failure;
    }
  }

  private static JsonNode innermost(JsonNode body) {
    for (String field : INSIDE) {
      JsonNode inner = body.path(field);
      JsonNode first = inner.isArray() ? inner.path(0) : inner;
      if (first.isObject() && !first.isEmpty()) {
        return innermost(first);
      }
    }
    return body;
  }

  private static String first(JsonNode body, List<String> fields) {
    for (String field : fields) {
      if (body.path(field).isTextual()) {
        return body.path(field).textValue();
      }
    }
    return "";
  }
}
