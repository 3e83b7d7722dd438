package io.spillway.server.problem;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.List;
import org.eclipse.microprofile.openapi.annotations.media.Schema;

/**
 * The body of an error (RFC 9457).
 *
 * @param instance the path that was called
 * @param errors what is wrong with each field, in the order of the body
 */
@Schema(description = "An error, as RFC 9457 has it")
public record Problem(
    @Schema(examples = "https://spillway.io/problems/invalid-job") String type,
    @Schema(examples = "The job cannot be accepted") String title,
    @Schema(examples = "422") int status,
    String detail,
    @Schema(examples = "/api/v1/jobs") String instance,
    @JsonInclude(JsonInclude.Include.NON_EMPTY) List<FieldError> errors) {

  public Problem {
    errors = List.copyOf(errors);
  }

  public static Problem of(
      ProblemType type, String detail, String instance, List<FieldError> errors) {
    return new Problem(type.uri(), type.title(), type.status(), detail, instance, errors);
  }
}
