package io.spillway.server.jobs;

import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import org.hibernate.annotations.Formula;
import org.hibernate.annotations.Immutable;

/** The specification, written once at submit. */
@Entity
@Immutable
@Table(name = "job_spec")
class JobSpecRow {
  @Id
  @Column(name = "job_id")
  String jobId;

  @Formula("cast(spec as text)")
  String json;
}
