package io.spillway.server.board;

import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.IdClass;
import jakarta.persistence.Table;
import java.io.Serializable;
import java.time.Instant;

/** An agent's token, of which only the hash is kept. */
@Entity
@Table(name = "cluster_token")
@IdClass(ClusterTokenRow.Key.class)
class ClusterTokenRow {
  @Id String cluster;

  /** SHA-256 of the token, hexadecimal. */
  @Id
  @Column(name = "token_hash")
  String tokenHash;

  @Column(name = "issued_at")
  Instant issuedAt;

  @Column(name = "issued_by")
  String issuedBy;

  @Column(name = "revoked_at")
  Instant revokedAt;

  static ClusterTokenRow issued(String cluster, String hash, Instant at, String by) {
    ClusterTokenRow row = new ClusterTokenRow();
    row.cluster = cluster;
    row.tokenHash = hash;
    row.issuedAt = at;
    row.issuedBy = by;
    return row;
  }

  /** The composite key. */
  record Key(String cluster, String tokenHash) implements Serializable {
    private static final long serialVersionUID = 1L;
  }
}
