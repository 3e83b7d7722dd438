-- A session ends by its own stream, or by the word of another when its replica is dead.
alter table agent_session add column closed_at timestamptz;

-- Each process with a gateway, under a fresh name per start, renewed every few seconds.
create table gateway_replica (
  replica text primary key,
  seen_at timestamptz not null
);
