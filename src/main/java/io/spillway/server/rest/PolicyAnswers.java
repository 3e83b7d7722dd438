package io.spillway.server.rest;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.spillway.policies.Compilation;
import io.spillway.policies.finding.Finding;
import io.spillway.policies.finding.Severity;
import io.spillway.server.policy.PolicyChange;
import io.spillway.server.policy.StoredPolicies;
import io.spillway.server.problem.FieldError;
import io.spillway.server.problem.ProblemMapping;
import io.spillway.server.problem.ProblemType;
import io.spillway.server.problem.Refused;
import jakarta.ws.rs.core.EntityTag;
import jakarta.ws.rs.core.Response;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.eclipse.microprofile.openapi.annotations.media.Schema;

/** Answers of the policy calls. */
final class PolicyAnswers {
  private PolicyAnswers() {}

  /** One policy file as it was written. */
  record File(String name, String content) {}

  /**
   * The set in force.
   *
   * @param version hash of its content; {@code none} before the first
   */
  @JsonInclude(JsonInclude.Include.NON_ABSENT)
  @Schema(name = "PolicySet")
  record Live(
      String version,
      Optional<String> author,
      Optional<String> source,
      Optional<Instant> createdAt,
      List<File> files) {
    static Live of(String version, Optional<StoredPolicies> stored) {
      return new Live(
          version,
          stored.map(StoredPolicies::author),
          stored.map(StoredPolicies::source),
          stored.map(StoredPolicies::createdAt),
          stored
              .map(set -> set.files().stream().map(f -> new File(f.name(), f.content())).toList())
              .orElse(List.of()));
    }
  }

  /** A version, without its files. */
  @Schema(name = "PolicyVersion")
  record Version(String version, String author, String source, Instant createdAt) {
    static Version of(StoredPolicies stored) {
      return new Version(stored.version(), stored.author(), stored.source(), stored.createdAt());
    }
  }

  /** Something wrong or odd, with its place. */
  @Schema(name = "PolicyFinding")
  record Found(
      @Schema(enumeration = {"error", "warning"}) String severity,
      String code,
      String file,
      int line,
      int column,
      String path,
      String message) {
    static Found of(Finding finding) {
      return new Found(
          finding.severity() == Severity.ERROR ? "error" : "warning",
          finding.code().toString(),
          finding.file(),
          finding.line(),
          finding.column(),
          finding.path(),
          finding.message());
    }
  }

  /**
   * What a set would be.
   *
   * @param version it would have, if it is valid
   */
  @JsonInclude(JsonInclude.Include.NON_ABSENT)
  @Schema(name = "PolicyCheck")
  record Checked(boolean valid, Optional<String> version, List<Found> findings) {
    static Checked of(Compilation compilation) {
      Optional<String> version =
          compilation instanceof Compilation.Compiled compiled
              ? Optional.of(compiled.policies().version())
              : Optional.empty();
      return new Checked(
          version.isPresent(), version, compilation.findings().stream().map(Found::of).toList());
    }
  }

  /**
   * A change that was taken.
   *
   * @param inForce false: durable, but not committed within two seconds
   */
  @Schema(name = "PolicyAccepted")
  record Accepted(String version, boolean inForce, List<Found> warnings) {}

  static Response answer(PolicyChange change) {
    return switch (change) {
      case PolicyChange.Accepted accepted ->
          Response.status(accepted.inForce() ? 200 : 202)
              .tag(new EntityTag(accepted.version()))
              .entity(
                  new Accepted(
                      accepted.version(),
                      accepted.inForce(),
                      accepted.warnings().stream().map(Found::of).toList()))
              .build();
      case PolicyChange.Invalid invalid -> throw invalid(invalid.findings());
      case PolicyChange.Conflict conflict ->
          throw new Refused(
              ProblemType.PRECONDITION_FAILED, "version " + conflict.current() + " is in force");
      case PolicyChange.OwnedByDirectory owned ->
          throw new Refused(
              ProblemType.POLICY_SOURCE_CONFLICT,
              "policies are kept in the directory "
                  + owned.directory().map(Object::toString).orElse("(none is configured)")
                  + "; change them there");
      case PolicyChange.UnknownVersion unknown ->
          throw new Refused(ProblemType.NOT_FOUND, "there is no version " + unknown.version());
    };
  }

  private static Refused invalid(List<Finding> findings) {
    List<FieldError> errors =
        findings.stream()
            .filter(finding -> finding.severity() == Severity.ERROR)
            .limit(100)
            .map(
                finding ->
                    new FieldError(
                        finding.file() + ":" + finding.line() + ":" + finding.column(),
                        finding.code()
                            + (finding.path().isEmpty() ? "" : " " + finding.path())
                            + ": "
                            + finding.message()))
            .toList();
    return new Refused(ProblemType.INVALID_POLICY, ProblemMapping.summary(errors), errors);
  }
}
