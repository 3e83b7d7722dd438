package io.spillway.server.kafka;

import io.spillway.scheduler.event.AttemptEvent;
import io.spillway.scheduler.event.Event;
import io.spillway.scheduler.event.JobEvent;
import io.spillway.scheduler.model.JobId;
import io.spillway.server.codec.StoreCodec;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Journal events that users care about, as CloudEvents 1.0. The id is the place in the journal, so
 * that a repeat is known as one.
 */
final class JobCloudEvents {
  private static final String TYPE_PREFIX = "io.spillway.job.";

  private final StoreCodec codec;
  private final String source;

  /**
   * @param cell the journal's cell, the source of the events
   */
  JobCloudEvents(StoreCodec codec, String cell) {
    this.codec = codec;
    this.source = "/spillway/" + cell;
  }

  /** One event of a job. */
  record JobRecord(String jobId, String json) {}

  List<JobRecord> of(long seq, Instant now, List<Event> events) {
    List<JobRecord> records = new ArrayList<>();
    for (int i = 0; i < events.size(); i++) {
      Event event = events.get(i);
      Optional<String> type = type(event);
      if (type.isPresent()) {
        String job = job(event).value();
        records.add(new JobRecord(job, json(seq + "-" + i, type.get(), job, now, event)));
      }
    }
    return records;
  }

  /** Every value here is of a closed syntax (ULID, instant, our own names): nothing to escape. */
  private String json(String id, String type, String job, Instant now, Event event) {
    return "{\"specversion\":\"1.0\",\"id\":\""
        + id
        + "\",\"source\":\""
        + source
        + "\",\"type\":\""
        + TYPE_PREFIX
        + type
        + "\",\"subject\":\""
        + job
        + "\",\"time\":\""
        + now
        + "\",\"datacontenttype\":\"application/json\",\"data\":"
        + codec.write(Event.class, event)
        + "}";
  }

  private static JobId job(Event event) {
    return switch (event) {
      case JobEvent e -> e.job();
      case AttemptEvent e -> e.attempt().job();
      default -> throw new IllegalArgumentException("no job's event: " + event);
    };
  }

  private static Optional<String> type(Event event) {
    return switch (event) {
      case JobEvent e -> jobType(e);
      case AttemptEvent e -> attemptType(e);
      default -> Optional.empty();
    };
  }

  private static Optional<String> jobType(JobEvent event) {
    return switch (event) {
      case JobEvent.JobTaken e -> Optional.of("submitted");
      case JobEvent.JobQueued e -> Optional.of("queued");
      case JobEvent.JobHeld e -> Optional.of("held");
      case JobEvent.JobLaunching e -> Optional.of("launching");
      case JobEvent.JobRunning e -> Optional.of("running");
      case JobEvent.JobDraining e -> Optional.of("draining");
      case JobEvent.JobCancelling e -> Optional.of("cancelling");
      case JobEvent.JobSucceeded e -> Optional.of("succeeded");
      case JobEvent.JobCancelled e -> Optional.of("cancelled");
      case JobEvent.JobFailed e -> Optional.of("failed");
      case JobEvent.PriorityChanged e -> Optional.of("priority-changed");
      case JobEvent.LabelsChanged e -> Optional.of("labels-changed");
      default -> Optional.empty();
    };
  }

  private static Optional<String> attemptType(AttemptEvent event) {
    return switch (event) {
      case AttemptEvent.AttemptIntended e -> Optional.of("attempt.placed");
      case AttemptEvent.AttemptRunning e -> Optional.of("attempt.running");
      case AttemptEvent.AttemptUnknown e -> Optional.of("attempt.unknown");
      case AttemptEvent.LaunchNotAdmitted e -> Optional.of("attempt.refused");
      case AttemptEvent.LaunchUntranslatable e -> Optional.of("attempt.refused");
      case AttemptEvent.AttemptEnding e -> Optional.of("attempt.ending");
      case AttemptEvent.AttemptEnded e -> Optional.of("attempt.ended");
      case AttemptEvent.LateSuccess e -> Optional.of("attempt.late-success");
      default -> Optional.empty();
    };
  }
}
