package io.spillway.server.jobs;

import io.spillway.scheduler.lifecycle.Attempt;
import io.spillway.server.codec.StoreCodec;
import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.IdClass;
import jakarta.persistence.Table;
import java.io.Serializable;
import java.time.Instant;
import org.hibernate.annotations.Immutable;

/** An attempt as the loop wrote it. */
@Entity
@Immutable
@Table(name = "attempt")
@IdClass(AttemptRow.Key.class)
class AttemptRow {
  private static final StoreCodec CODEC = new StoreCodec();

  @Id
  @Column(name = "job_id")
  String jobId;

  @Id int number;

  String state;

  String outcome;

  String reason;

  @Column(name = "created_at")
  Instant createdAt;

  @Column(name = "ended_at")
  Instant endedAt;

  String core;

  /** The core's record. */
  Attempt attempt() {
    return CODEC.read(StoreCodec.FORMAT, core, Attempt.class);
  }

  /** The composite key. */
  record Key(String jobId, int number) implements Serializable {
    private static final long serialVersionUID = 1L;
  }
}
