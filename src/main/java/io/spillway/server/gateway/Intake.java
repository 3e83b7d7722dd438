package io.spillway.server.gateway;

import io.spillway.protocol.v1.AgentFrame;
import io.spillway.protocol.v1.AgentMessage;
import io.spillway.protocol.v1.MessageRefused;
import io.spillway.scheduler.input.Input;
import io.spillway.scheduler.input.Lane;
import io.spillway.scheduler.model.AttemptId;
import io.spillway.scheduler.model.ClusterName;
import io.spillway.server.gateway.ReportTranslation.Translated;
import io.spillway.server.inbox.Inbox;
import io.spillway.server.loop.CrashPoint;
import io.spillway.server.loop.CrashPoints;
import io.spillway.server.progress.ProgressBook;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Clock;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import org.jboss.logging.Logger;

/**
 * Makes a stream's frames durable in their order: one append at a time, and what arrives meanwhile
 * goes with the next, so that a busy stream makes larger rows and not more of them. Belongs to one
 * stream and its thread.
 */
final class Intake {
  private static final Logger LOG = Logger.getLogger(Intake.class);

  private final Inbox inbox;
  private final ProgressBook progress;
  private final ClusterName cluster;
  private final long agentEpoch;
  private final KnownAttempts known;
  private final Symptoms symptoms;
  private final Clock clock;
  private final Settled settled;

  private final ListParts parts = new ListParts();
  private final Deque<AgentFrame> waiting = new ArrayDeque<>();
  private boolean busy;
  private boolean closed;

  /** Told what became of frames, on the stream's thread. */
  interface Settled {
    /** All frames up to that one are durable. */
    void durable(long frame, int frames, List<MessageRefused> refused);

    /** They are not, and nothing that came after them will be: the agent must send them again. */
    void failed(Throwable why);
  }

  Intake(Door door, Admission.Admitted session, KnownAttempts known, Settled settled) {
    this.inbox = door.inbox();
    this.progress = door.progress();
    this.cluster = session.cluster();
    this.agentEpoch = session.agentEpoch();
    this.known = known;
    this.symptoms = door.symptoms();
    this.clock = door.clock();
    this.settled = settled;
  }

  void take(AgentFrame frame, int maxInputs) {
    waiting.add(frame);
    next(maxInputs);
  }

  /** Nothing that was not sent to the inbox yet will be. */
  void close() {
    closed = true;
    waiting.clear();
  }

  private void next(int maxInputs) {
    if (busy || closed || waiting.isEmpty()) {
      return;
    }
    busy = true;
    List<AgentMessage> messages = new ArrayList<>();
    int frames = 0;
    long last = 0;
    while (!waiting.isEmpty()
        && (frames == 0 || messages.size() + waiting.peek().getMessagesCount() <= maxInputs)) {
      AgentFrame frame = waiting.poll();
      messages.addAll(frame.getMessagesList());
      last = frame.getFrame();
      frames++;
    }
    store(
        messages.stream().flatMap(message -> parts.whole(message).stream()).toList(),
        last,
        frames,
        maxInputs);
  }

  private void store(List<AgentMessage> messages, long last, int frames, int maxInputs) {
    List<AttemptId> named =
        messages.stream().flatMap(m -> ReportTranslation.attempts(m).stream()).toList();
    if (!named.isEmpty()) {
      CrashPoints.reached(CrashPoint.ACK_RECEIVED);
    }
    known
        .of(named)
        .onFailure(this::failed)
        .onSuccess(
            whose -> {
              Translated result = translate(messages, whose);
              // Not waited for: no decision rests on it, and the next report says more.
              result.progress().forEach(progress::put);
              if (result.inputs().isEmpty()) {
                done(last, frames, result.refused(), maxInputs);
                return;
              }
              put(result.inputs())
                  .onSuccess(stored -> done(last, frames, result.refused(), maxInputs))
                  .onFailure(this::failed);
            });
  }

  /** One input that the store can never hold must not keep the others, or come for ever. */
  private Future<Void> put(List<Input> inputs) {
    Promise<Void> stored = Promise.promise();
    inbox
        .append(Lane.REPORTS, "agent:" + cluster, inputs)
        .subscribe()
        .with(key -> stored.complete(), stored::fail);
    return stored
        .future()
        .recover(
            failure -> {
              if (!(failure instanceof Inbox.Unstorable)) {
                return Future.failedFuture(failure);
              }
              if (inputs.size() == 1) {
                LOG.errorf(failure, "report dropped: cluster=%s %s", cluster, inputs.getFirst());
                return Future.succeededFuture();
              }
              int half = inputs.size() / 2;
              return put(inputs.subList(0, half))
                  .compose(first -> put(inputs.subList(half, inputs.size())));
            });
  }

  private Translated translate(List<AgentMessage> messages, Map<AttemptId, Belonging> whose) {
    ReportTranslation translation =
        new ReportTranslation(
            cluster,
            agentEpoch,
            attempt -> whose.getOrDefault(attempt, new Belonging.Nobodys()),
            symptoms);
    List<Input> inputs = new ArrayList<>(messages.size());
    Translated result = new Translated(inputs, new ArrayList<>(), new ArrayList<>());
    messages.forEach(message -> translation.translate(message, clock.instant(), result));
    return result;
  }

  private void done(long last, int frames, List<MessageRefused> refused, int maxInputs) {
    busy = false;
    if (!closed) {
      settled.durable(last, frames, refused);
      next(maxInputs);
    }
  }

  private void failed(Throwable why) {
    busy = false;
    if (!closed) {
      close();
      settled.failed(why);
    }
  }
}
