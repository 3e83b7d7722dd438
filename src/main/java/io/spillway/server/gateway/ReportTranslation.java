package io.spillway.server.gateway;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.spillway.protocol.v1.AgentMessage;
import io.spillway.protocol.v1.AttemptReport;
import io.spillway.protocol.v1.GateRefusal;
import io.spillway.protocol.v1.MessageRefused;
import io.spillway.protocol.v1.Present;
import io.spillway.protocol.v1.Progress;
import io.spillway.protocol.v1.Sweep;
import io.spillway.scheduler.input.AgentInput;
import io.spillway.scheduler.input.Input;
import io.spillway.scheduler.model.AttemptId;
import io.spillway.scheduler.model.ClusterName;
import io.spillway.server.json.StrictJson;
import io.spillway.server.problem.Refused;
import io.spillway.server.progress.ProgressBook;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * Turns an agent's messages into inputs. What cannot be is refused message by message, with its
 * place and reason, and the rest counts. Pure.
 */
final class ReportTranslation {
  private static final int MAX_INSTANCES = 4_096;
  private static final int MAX_EXIT_CODES = 65_536;

  private final ClusterName cluster;
  private final long agentEpoch;
  private final Function<AttemptId, Belonging> belongings;
  private final Symptoms symptoms;

  ReportTranslation(
      ClusterName cluster,
      long agentEpoch,
      Function<AttemptId, Belonging> belongings,
      Symptoms symptoms) {
    this.cluster = cluster;
    this.agentEpoch = agentEpoch;
    this.belongings = belongings;
    this.symptoms = symptoms;
  }

  /** What of one message counts. */
  record Translated(
      List<Input> inputs, List<MessageRefused> refused, List<ProgressBook.Report> progress) {}

  /** Attempts that the message speaks of, as far as they can be read. */
  static List<AttemptId> attempts(AgentMessage message) {
    return switch (message.getBodyCase()) {
      case ATTEMPT -> AttemptIds.read(message.getAttempt().getAttempt()).stream().toList();
      case SYMPTOM -> AttemptIds.read(message.getSymptom().getAttempt()).stream().toList();
      case GATE_REFUSAL -> AttemptIds.read(message.getGateRefusal().getAttempt()).stream().toList();
      case PROGRESS -> AttemptIds.read(message.getProgress().getAttempt()).stream().toList();
      case SWEEP ->
          message.getSweep().getPresentList().stream()
              .flatMap(present -> AttemptIds.read(present.getAttempt()).stream())
              .toList();
      default -> List.of();
    };
  }

  void translate(AgentMessage message, Instant now, Translated into) {
    if (message.getSeq() < 0) {
      refuse(message, "seq is over 2^63", into);
      return;
    }
    try {
      switch (message.getBodyCase()) {
        case ATTEMPT -> into.inputs().add(report(message.getSeq(), message.getAttempt()));
        case SWEEP -> into.inputs().add(swept(message, message.getSweep(), into));
        case NODES ->
            into.inputs()
                .add(
                    NodeReports.of(
                        cluster, message, zone -> symptoms.zone(cluster, zone), into.refused()));
        case GATE_REFUSAL -> into.inputs().add(refusal(message.getGateRefusal()));
        case SYMPTOM ->
            into.inputs().add(symptoms.of(cluster, message.getSymptom(), belongings, now));
        case CAPABILITIES ->
            Admission.able(cluster, message.getCapabilities()).ifPresent(into.inputs()::add);
        case PROGRESS -> progress(message.getProgress()).ifPresent(into.progress()::add);
        // Logs go to their readers alone.
        case HEARTBEAT, LOG_CHUNK -> {}
        case HELLO, BODY_NOT_SET -> refuse(message, "a message of no known kind", into);
      }
    } catch (RefusedMessageException e) {
      refuse(message, e.getMessage(), into);
    }
  }

  private AgentInput report(long seq, AttemptReport report) throws RefusedMessageException {
    AttemptId attempt = AttemptIds.ours(report.getAttempt(), belongings);
    AgentInput.Phase phase = phase(report.getPhase());
    if (report.getAttemptEpoch() < 0) {
      throw new RefusedMessageException("attempt_epoch is over 2^63");
    }
    return new AgentInput.AttemptReported(
        cluster,
        agentEpoch,
        seq,
        attempt,
        report.getAttemptEpoch(),
        phase,
        instances(report.getInstancesList()),
        ranFor(report.getRanForMs()),
        phase == AgentInput.Phase.ENDED ? Optional.of(end(report)) : Optional.empty());
  }

  private AgentInput swept(AgentMessage message, Sweep sweep, Translated into) {
    List<AgentInput.Present> present = new ArrayList<>(sweep.getPresentCount());
    int leftOut = 0;
    String why = "";
    for (Present workload : sweep.getPresentList()) {
      try {
        present.add(
            new AgentInput.Present(
                AttemptIds.ours(workload.getAttempt(), belongings),
                Math.max(0, workload.getAttemptEpoch()),
                phase(workload.getPhase()),
                instances(workload.getInstancesList())));
      } catch (RefusedMessageException e) {
        leftOut++;
        why = e.getMessage();
      }
    }
    if (leftOut > 0) {
      refuse(message, leftOut + " of the sweep left out, the last because " + why, into);
    }
    return new AgentInput.Swept(cluster, agentEpoch, message.getSeq(), present);
  }

  private AgentInput refusal(GateRefusal refusal) throws RefusedMessageException {
    return new AgentInput.GateRefused(
        cluster,
        AttemptIds.ours(refusal.getAttempt(), belongings),
        AgentText.clean(refusal.getReason(), AgentText.MESSAGE));
  }

  /** Of nobody's attempt nothing is kept. The job's own words are hostile until they are read. */
  private Optional<ProgressBook.Report> progress(Progress said) throws RefusedMessageException {
    AttemptId attempt = AttemptIds.ours(said.getAttempt(), belongings);
    try {
      ObjectNode json =
          StrictJson.object(
              said.getJsonBytes().toByteArray(), io.spillway.server.progress.Progress.MAX_BYTES);
      return belongings.apply(attempt) instanceof Belonging.Ours
          ? Optional.of(
              new ProgressBook.Report(
                  attempt,
                  io.spillway.server.progress.Progress.lenient(json),
                  ProgressBook.Source.AGENT))
          : Optional.empty();
    } catch (Refused notJson) {
      throw new RefusedMessageException(
          "progress of " + attempt + ": " + AgentText.clean(notJson.getMessage(), AgentText.NAME));
    }
  }

  private static AgentInput.Phase phase(io.spillway.protocol.v1.Phase phase)
      throws RefusedMessageException {
    return switch (phase) {
      case PHASE_HELD -> AgentInput.Phase.HELD;
      case PHASE_STARTING -> AgentInput.Phase.STARTING;
      case PHASE_RUNNING -> AgentInput.Phase.RUNNING;
      case PHASE_ENDED -> AgentInput.Phase.ENDED;
      case PHASE_ABSENT -> AgentInput.Phase.ABSENT;
      case PHASE_UNSPECIFIED, UNRECOGNIZED -> throw new RefusedMessageException("no known phase");
    };
  }

  private static AgentInput.End end(AttemptReport report) throws RefusedMessageException {
    AgentInput.Cause cause =
        switch (report.getEndCause()) {
          case END_CAUSE_EXITED -> AgentInput.Cause.EXITED;
          case END_CAUSE_STOPPED -> AgentInput.Cause.STOPPED;
          case END_CAUSE_DISRUPTED -> AgentInput.Cause.DISRUPTED;
          case END_CAUSE_NODE_LOST -> AgentInput.Cause.NODE_LOST;
          case END_CAUSE_DELETED -> AgentInput.Cause.DELETED;
          case END_CAUSE_UNSPECIFIED, UNRECOGNIZED ->
              throw new RefusedMessageException("an end without a known cause");
        };
    if (report.getExitCodesCount() > MAX_EXIT_CODES) {
      throw new RefusedMessageException("more than " + MAX_EXIT_CODES + " exit codes");
    }
    return new AgentInput.End(
        report.getExitCodesList(), cause, AgentText.clean(report.getMessage(), AgentText.MESSAGE));
  }

  private static List<String> instances(List<String> reported) throws RefusedMessageException {
    if (reported.size() > MAX_INSTANCES) {
      throw new RefusedMessageException("more than " + MAX_INSTANCES + " instances");
    }
    return reported.stream().map(id -> AgentText.clean(id, AgentText.NAME)).toList();
  }

  /** Zero is "not known"; what no job can have run for is not believed. */
  private static Optional<Duration> ranFor(long millis) {
    return millis > 0 && millis < Duration.ofDays(3_650).toMillis()
        ? Optional.of(Duration.ofMillis(millis))
        : Optional.empty();
  }

  private static void refuse(AgentMessage message, String detail, Translated into) {
    into.refused()
        .add(MessageRefused.newBuilder().setSeq(message.getSeq()).setDetail(detail).build());
  }
}
