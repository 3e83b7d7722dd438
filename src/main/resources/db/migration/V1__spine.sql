-- Spillway's store. The journal is the truth; job and attempt are projections written in the same
-- transaction. Expand first, contract one release later.

-- A store's identity: agents remember the highest (generation, head) they saw, so that a restored
-- copy is noticed.
create table store_identity (
  id         smallint primary key check (id = 1),
  generation text not null,
  created_at timestamptz not null default clock_timestamp()
);

-- Lease and epoch are two tables: commits lock the epoch FOR KEY SHARE, renewals touch only the lease.
create table leader_epoch (
  cell  text primary key,
  epoch bigint not null
);
create table leader_lease (
  cell       text primary key,
  holder     text not null,
  address    text not null,
  expires_at timestamptz not null,
  renewed_at timestamptz not null
);

-- Never updated or deleted singly; partitions are dropped once every cursor is past.
create table inbox (
  cell        text not null,
  writer      text not null,
  seq         bigint not null,
  lane        smallint not null,
  actor       text not null,
  received_at timestamptz not null default clock_timestamp(),
  inputs      smallint not null,
  format      smallint not null,
  payload     text not null,
  primary key (writer, seq, received_at)
) partition by range (received_at);
-- A take reads per writer beyond its cursor.
create table inbox_default partition of inbox default;

-- One row a writer (a process start and lane); the leader moves seq in the commit.
create table inbox_writer (
  writer     text primary key,
  cell       text not null,
  lane       smallint not null,
  replica    text not null,
  seq        bigint not null default 0,
  created_at timestamptz not null default clock_timestamp(),
  retired    boolean not null default false
);

create table journal (
  cell         text not null,
  seq          bigint not null,
  epoch        bigint not null,
  cycle        bigint not null,
  now          timestamptz not null,
  seed         bigint not null,
  core_version text not null,
  policy       text not null,
  plan_hash    text not null,
  digest       bigint not null,
  format       smallint not null,
  inputs       text not null,
  events       text not null,
  committed_at timestamptz not null default clock_timestamp(),
  primary key (cell, seq, committed_at)
) partition by range (committed_at);
create table journal_default partition of journal default;

create table core_memo (
  cell       text not null,
  seq        bigint not null,
  format     smallint not null,
  bytes      bytea not null,
  written_at timestamptz not null default clock_timestamp(),
  primary key (cell, seq)
);

create table job (
  id              text primary key,
  cell            text not null default 'main',
  queue           text not null,
  name            text not null,
  priority_class  text not null,
  state           text not null,
  reason          text not null,
  submitted_at    timestamptz not null default clock_timestamp(),
  submitted_by    text not null,
  policy_version  text not null,
  idempotency_key text,
  body_hash       text not null,
  labels          jsonb not null default '{}',
  -- Inbox key that brings it in, until the loop has taken it (then the journal seq of that commit).
  inbox_writer    text not null,
  inbox_seq       bigint not null,
  taken           bigint,
  -- The core's record (order, state, standing) as JSON, and the class whose evaluation speaks for it.
  core            text not null,
  shape_class     text,
  attempts        int not null default 0,
  updated_seq     bigint not null default 0,
  finished_at     timestamptz,
  constraint job_idempotency unique (queue, idempotency_key)
) with (fillfactor = 70);
-- GET /jobs: newest first, by queue or by state.
create index job_by_queue on job (queue, id desc);
create index job_open on job (state, id desc) where finished_at is null;
create index job_labels on job using gin (labels jsonb_path_ops);

-- Written once at submit, read at start and by GET /jobs/{id}.
create table job_spec (
  job_id text primary key,
  spec   jsonb not null
);

create table attempt (
  job_id      text not null,
  number      int not null,
  cell        text not null default 'main',
  cluster     text not null,
  offering    text not null,
  state       text not null,
  outcome     text,
  reason      text,
  epoch       bigint not null,
  created_at  timestamptz not null,
  ended_at    timestamptz,
  core        text not null,
  -- What the agent must be told (HOLD, RELEASE, START, STOP), until it acknowledged; the journal seq
  -- that set it.
  command     text,
  command_seq bigint,
  command_epoch bigint,
  updated_seq bigint not null,
  primary key (job_id, number)
) with (fillfactor = 70);
-- The gateway reads what a cluster is to be told, oldest first.
create index attempt_commands on attempt (cluster, command_seq) where command is not null;
create index attempt_open on attempt (cell) where ended_at is null;

-- One row per shape class and cycle.
create table evaluation (
  cell        text not null,
  seq         bigint not null,
  shape_class text not null,
  queue       text not null,
  body        jsonb not null,
  decided_at  timestamptz not null,
  primary key (cell, seq, shape_class, decided_at)
) partition by range (decided_at);
create table evaluation_default partition of evaluation default;
create index evaluation_by_class on evaluation (shape_class, seq desc);

create table policy_version (
  version    text primary key,
  documents  jsonb not null,
  author     text not null,
  source     text not null,
  created_at timestamptz not null default clock_timestamp()
);
create table policy_live (
  cell    text primary key,
  version text not null references policy_version
);

-- Only hashes of tokens are kept.
create table cluster_token (
  cluster    text not null,
  token_hash text not null,
  issued_at  timestamptz not null default clock_timestamp(),
  issued_by  text not null,
  revoked_at timestamptz,
  primary key (cluster, token_hash)
);
create table agent_session (
  cluster     text primary key,
  replica     text not null,
  generation  bigint not null,
  agent_epoch bigint not null,
  opened_at   timestamptz not null default clock_timestamp()
);

-- Offsets move by compare-and-set in the transaction of the rows they brought.
create table consumer_offset (
  topic       text not null,
  partition   int not null,
  next_offset bigint not null,
  primary key (topic, partition)
);
create table relay_cursor (
  name text primary key,
  seq  bigint not null
);
