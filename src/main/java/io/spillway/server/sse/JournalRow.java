package io.spillway.server.sse;

import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import java.time.Instant;
import org.hibernate.annotations.Immutable;

/** What streams and pages need of a journal row; the loop writes it, never this entity. */
@Entity
@Immutable
@Table(name = "journal")
class JournalRow {
  @Id long seq;

  String cell;

  @Column(name = "now")
  Instant at;

  String events;
}
