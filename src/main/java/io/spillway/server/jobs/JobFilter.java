package io.spillway.server.jobs;

import io.spillway.scheduler.model.JobId;
import io.spillway.scheduler.model.QueueName;
import io.spillway.server.problem.ProblemType;
import io.spillway.server.problem.Refused;
import io.spillway.server.security.Caller;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Which jobs to list, newest first.
 *
 * @param queues empty = all
 * @param states empty = all
 * @param labels every one must be there
 * @param before the last id of the page before
 * @param limit of items
 */
record JobFilter(
    List<QueueName> queues,
    List<String> states,
    Map<String, String> labels,
    Optional<JobId> before,
    int limit) {
  static final int MAX_LIMIT = 500;

  private static final Set<String> STATES =
      Set.of(
          "QUEUED",
          "HELD",
          "LAUNCHING",
          "RUNNING",
          "DRAINING",
          "CANCELLING",
          "SUCCEEDED",
          "CANCELLED",
          "FAILED");

  /**
   * From the query's parameters, confined to what the caller may see.
   *
   * @throws Refused if one of them is not valid, or a queue is not the caller's
   */
  static JobFilter of(JobListing asked, Caller caller) {
    List<QueueName> queues =
        asked.queues().stream().map(text -> parse("queue", text, QueueName::new)).toList();
    queues.forEach(caller::mustOwn);
    if (queues.isEmpty() && caller.isConfined()) {
      queues = List.copyOf(caller.queues());
    }
    for (String state : asked.states()) {
      if (!STATES.contains(state)) {
        throw Refused.field(ProblemType.INVALID_REQUEST, "state", "is none of " + sorted(STATES));
      }
    }
    if (asked.limit() < 1 || asked.limit() > MAX_LIMIT) {
      throw Refused.field(ProblemType.INVALID_REQUEST, "limit", "must be from 1 to " + MAX_LIMIT);
    }
    return new JobFilter(
        queues,
        List.copyOf(asked.states()),
        labels(asked.labels()),
        asked.cursor().map(text -> parse("cursor", text, JobId::new)),
        asked.limit());
  }

  /** Whether nothing can match, since the caller owns no queue. */
  boolean matchesNothing(Caller caller) {
    return queues.isEmpty() && caller.isConfined();
  }

  /** Ids only; every value is a parameter. Indexes: job_by_queue, job_open, job_labels. */
  String sql() {
    StringBuilder sql = new StringBuilder("select id from job where true");
    if (!queues.isEmpty()) {
      sql.append(" and queue in (:queues)");
    }
    if (!states.isEmpty()) {
      sql.append(" and state in (:states)");
    }
    if (!labels.isEmpty()) {
      sql.append(" and labels @> cast(cast(:labels as text) as jsonb)");
    }
    if (before.isPresent()) {
      sql.append(" and id < :before");
    }
    return sql.append(" order by id desc").toString();
  }

  Map<String, Object> parameters() {
    Map<String, Object> parameters = new LinkedHashMap<>();
    if (!queues.isEmpty()) {
      parameters.put("queues", queues.stream().map(QueueName::value).toList());
    }
    if (!states.isEmpty()) {
      parameters.put("states", states);
    }
    if (!labels.isEmpty()) {
      parameters.put("labels", JsonTexts.write(labels));
    }
    before.ifPresent(id -> parameters.put("before", id.value()));
    return parameters;
  }

  private static Map<String, String> labels(List<String> texts) {
    Map<String, String> labels = new LinkedHashMap<>();
    for (String text : texts) {
      int equals = text.indexOf('=');
      if (equals < 1) {
        throw Refused.field(ProblemType.INVALID_REQUEST, "label", "must be key=value");
      }
      String key = parse("label", text.substring(0, equals), SpecSyntax::labelKey);
      labels.put(key, parse("label", text.substring(equals + 1), SpecSyntax::labelValue));
    }
    return labels;
  }

  private static List<String> sorted(Set<String> texts) {
    return texts.stream().sorted().toList();
  }

  private static <T> T parse(
      String parameter, String text, java.util.function.Function<String, T> parser) {
    try {
      return parser.apply(text);
    } catch (IllegalArgumentException e) {
      throw Refused.field(ProblemType.INVALID_REQUEST, parameter, e.getMessage());
    }
  }
}
