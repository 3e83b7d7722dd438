package io.spillway.server.jobs;

import io.spillway.scheduler.model.JobId;
import io.spillway.scheduler.model.QueueName;
import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import java.time.Instant;
import org.hibernate.annotations.Formula;
import org.hibernate.annotations.Immutable;

/** A job as it stands in the store; inserted at submit, then written by the loop only. */
@Entity
@Immutable
@Table(name = "job")
class JobRow {
  @Id String id;

  String queue;

  String name;

  @Column(name = "priority_class")
  String priorityClass;

  String state;

  String reason;

  @Column(name = "submitted_at")
  Instant submittedAt;

  @Column(name = "submitted_by")
  String submittedBy;

  @Column(name = "policy_version")
  String policyVersion;

  @Column(name = "idempotency_key")
  String idempotencyKey;

  @Column(name = "body_hash")
  String bodyHash;

  @Formula("cast(labels as text)")
  String labels;

  String core;

  @Column(name = "shape_class")
  String shapeClass;

  int attempts;

  @Column(name = "updated_seq")
  long updatedSeq;

  @Column(name = "finished_at")
  Instant finishedAt;

  /** Of its attempts, by their primary key; null while there is none. */
  @Formula("(select max(a.updated_seq) from attempt a where a.job_id = id)")
  Long attemptsSeq;

  JobId jobId() {
    return new JobId(id);
  }

  QueueName queueName() {
    return new QueueName(queue);
  }

  boolean isFinished() {
    return finishedAt != null;
  }

  /** Changes whenever the stored state does, its attempts' included. */
  String etag() {
    return Long.toString(attemptsSeq == null ? updatedSeq : Math.max(updatedSeq, attemptsSeq));
  }
}
