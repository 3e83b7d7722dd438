package io.spillway.server.inbox;

import io.spillway.scheduler.model.JobId;
import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** What each item of a batch is told once the batch is committed. */
final class Settlement {
  private final String writer;
  private final List<Runnable> answers = new ArrayList<>();
  private final List<PendingItem.Job> refused = new ArrayList<>();

  Settlement(String writer) {
    this.writer = writer;
  }

  void row(PendingItem.Row row, long seq) {
    answers.add(() -> row.done().complete(new InboxKey(writer, seq)));
  }

  void move(PendingItem.Move item, long seq, Future<RowSet<Row>> moved) {
    answers.add(
        () -> {
          if (moved.result().size() == 1) {
            item.row().done().complete(new InboxKey(writer, seq));
          } else {
            item.fail(new Inbox.OffsetMoved(item.move()));
          }
        });
  }

  void jobs(List<PendingItem.Job> jobs, List<Long> seqs, Future<RowSet<Row>> inserted) {
    answers.add(
        () -> {
          Set<String> accepted = new HashSet<>();
          inserted.result().forEach(row -> accepted.add(row.getString(0)));
          for (int i = 0; i < jobs.size(); i++) {
            JobId id = jobs.get(i).job().id();
            if (accepted.contains(id.value())) {
              jobs.get(i)
                  .done()
                  .complete(
                      new Submissions.Outcome.Accepted(id, new InboxKey(writer, seqs.get(i))));
            } else {
              refused.add(jobs.get(i));
            }
          }
        });
  }

  /** Completes everything that is decided; the rest is jobs whose key was there before. */
  List<PendingItem.Job> complete() {
    answers.forEach(Runnable::run);
    return List.copyOf(refused);
  }
}
