package io.spillway.server.jobs;

import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import java.time.Instant;
import org.hibernate.annotations.Formula;
import org.hibernate.annotations.Immutable;

/** What a job said last of its progress. */
@Entity
@Immutable
@Table(name = "job_progress")
class ProgressRow {
  @Id
  @Column(name = "job_id")
  String jobId;

  int attempt;

  String source;

  @Formula("cast(body as text)")
  String body;

  @Column(name = "reported_at")
  Instant reportedAt;
}
