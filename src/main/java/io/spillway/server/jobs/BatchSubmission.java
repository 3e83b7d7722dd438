package io.spillway.server.jobs;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import io.spillway.server.inbox.Inbox;
import io.spillway.server.json.Faults;
import io.spillway.server.json.JsonFields;
import io.spillway.server.problem.Problem;
import io.spillway.server.problem.ProblemMapping;
import io.spillway.server.problem.ProblemType;
import io.spillway.server.security.Caller;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Many jobs in one call. Items are independent: each is accepted or refused as if it came alone,
 * and the store batches those that are on their way together.
 */
@ApplicationScoped
public class BatchSubmission {
  /** Items of one call. */
  public static final int MAX_ITEMS = 1_000;

  private static final int AT_ONCE = 250;
  private static final int MAX_KEY = 128;

  private final JobSubmission submission;

  BatchSubmission(JobSubmission submission) {
    this.submission = submission;
  }

  /** The outcome of each item, in the order of the call. */
  public record Answer(List<Item> items) {}

  /**
   * @param status what the item would have been answered with alone
   */
  @JsonInclude(JsonInclude.Include.NON_ABSENT)
  public record Item(int index, int status, Optional<JobAnswer> job, Optional<Problem> problem) {}

  private record Entry(int index, ObjectNode job, Optional<String> key) {}

  public Uni<Answer> submit(Caller caller, ObjectNode body, String instance) {
    submission.refuseUntilLoaded();
    submission.refuseAt(Inbox.Load.HIGH);
    List<Entry> entries = entries(body);
    return Multi.createFrom()
        .iterable(entries)
        .onItem()
        .transformToUni(entry -> one(caller, entry, instance))
        .merge(AT_ONCE)
        .collect()
        .asList()
        .map(BatchSubmission::inOrder);
  }

  private Uni<Item> one(Caller caller, Entry entry, String instance) {
    return Uni.createFrom()
        .deferred(() -> submission.submit(caller, entry.job(), entry.key()))
        .map(
            done ->
                new Item(
                    entry.index(),
                    done.created() ? 201 : 200,
                    Optional.of(done.job()),
                    Optional.empty()))
        .onFailure()
        .recoverWithItem(failure -> refused(entry, failure, instance));
  }

  private static Item refused(Entry entry, Throwable failure, String instance) {
    Problem problem = ProblemMapping.answer(failure, instance).problem();
    return new Item(entry.index(), problem.status(), Optional.empty(), Optional.of(problem));
  }

  private static Answer inOrder(List<Item> items) {
    List<Item> sorted = new ArrayList<>(items);
    sorted.sort(java.util.Comparator.comparingInt(Item::index));
    return new Answer(List.copyOf(sorted));
  }

  private static List<Entry> entries(ObjectNode body) {
    Faults faults = new Faults();
    JsonFields fields = new JsonFields("", body, faults);
    if (!fields.has("items")) {
      fields.fault("items", "is required");
    }
    List<Entry> entries = new ArrayList<>();
    for (JsonFields item : fields.objects("items", MAX_ITEMS)) {
      Optional<String> key = item.text("idempotencyKey", MAX_KEY);
      Optional<ObjectNode> job =
          item.value("job").filter(ObjectNode.class::isInstance).map(ObjectNode.class::cast);
      if (job.isEmpty()) {
        item.fault("job", "must be an object");
      }
      item.end();
      job.ifPresent(spec -> entries.add(new Entry(entries.size(), spec, key)));
    }
    fields.end();
    faults.refuse(ProblemType.INVALID_BODY);
    return entries;
  }
}
