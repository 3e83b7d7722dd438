package io.spillway.server.jobs;

import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.IdClass;
import jakarta.persistence.Table;
import java.io.Serializable;
import java.time.Instant;
import org.hibernate.annotations.Formula;
import org.hibernate.annotations.Immutable;

/** How a class of jobs was judged in one cycle. */
@Entity
@Immutable
@Table(name = "evaluation")
@IdClass(EvaluationRow.Key.class)
class EvaluationRow {
  @Id long seq;

  @Id
  @Column(name = "shape_class")
  String shapeClass;

  @Formula("cast(body as text)")
  String body;

  @Column(name = "decided_at")
  Instant decidedAt;

  /** The composite key. */
  record Key(long seq, String shapeClass) implements Serializable {
    private static final long serialVersionUID = 1L;
  }
}
