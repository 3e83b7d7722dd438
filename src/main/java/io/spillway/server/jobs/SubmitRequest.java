package io.spillway.server.jobs;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.spillway.server.json.Faults;
import io.spillway.server.problem.ProblemType;
import io.spillway.server.problem.Refused;
import java.util.Optional;
import java.util.regex.Pattern;

/** One job to submit, as JSON and with its key. */
record SubmitRequest(ObjectNode body, Optional<String> key) {
  private static final Pattern KEY = Pattern.compile("[\\x21-\\x7e]{1,128}");

  /**
   * @throws Refused if the key is not 1 to 128 printable ASCII characters
   */
  SubmitRequest {
    if (key.isPresent() && !KEY.matcher(key.get()).matches()) {
      throw Refused.field(
          ProblemType.INVALID_REQUEST,
          "Idempotency-Key",
          "must be 1 to 128 printable ASCII characters without spaces");
    }
  }

  /**
   * The specification.
   *
   * @throws Refused INVALID_JOB with every fault of its form
   */
  JobSpec spec() {
    Faults faults = new Faults();
    Optional<JobSpec> spec = JobSpecReader.read(body, "", faults);
    faults.refuse(ProblemType.INVALID_JOB);
    return spec.orElseThrow();
  }
}
