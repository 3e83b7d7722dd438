-- What makes a commit safe. The head moves by compare-and-set in the transaction of its journal row:
-- a commit whose outcome was unknown and that is made again, or that still lies in the socket of a
-- connection that was given up, can never stand in the journal twice.
create table journal_head (
  cell      text primary key,
  seq       bigint not null,
  epoch     bigint not null,
  cycle     bigint not null,
  now       timestamptz not null,
  plan_hash text not null,
  digest    bigint not null
) with (fillfactor = 50);

-- Raises instead of answering, so that a whole transaction can be sent in one go and fails by itself.
create function fence(of_cell text, my_epoch bigint) returns void language plpgsql as $$
declare
  current_epoch bigint;
begin
  select epoch into current_epoch from leader_epoch where cell = of_cell for key share;
  if current_epoch is distinct from my_epoch then
    raise exception 'epoch % of cell % is over, % leads', my_epoch, of_cell, current_epoch
      using errcode = 'SW001';
  end if;
end $$;

create function advance_head(
  of_cell text, from_seq bigint, my_epoch bigint, of_cycle bigint, at timestamptz, hash text,
  state_digest bigint) returns void language plpgsql as $$
begin
  update journal_head
     set seq = from_seq + 1, epoch = my_epoch, cycle = of_cycle, now = at, plan_hash = hash,
         digest = state_digest
   where cell = of_cell and seq = from_seq;
  if not found then
    raise exception 'the head of cell % is not %', of_cell, from_seq using errcode = 'SW002';
  end if;
end $$;

-- Restart and takeover read the open rows only.
create index job_open_by_cell on job (cell, id) where finished_at is null and taken is not null;
-- Retention.
create index job_finished on job (finished_at) where finished_at is not null;
-- Attempts that somebody must still be told of, whatever their job's state.
create index attempt_untold on attempt (cell) where command is not null;

-- The format of the core's records in these rows.
alter table job add column core_format smallint not null default 1;
alter table attempt add column core_format smallint not null default 1;

-- Takes the lead if the lease is free, and with it a new epoch; null if it is not free. The lock on
-- the epoch waits for commits that are under way under the old one and keeps later ones out.
create function take_lead(of_cell text, me text, my_address text, lease interval)
returns bigint language plpgsql as $$
declare
  taken boolean;
  new_epoch bigint;
begin
  insert into leader_epoch (cell, epoch) values (of_cell, 0) on conflict (cell) do nothing;
  insert into leader_lease as l (cell, holder, address, expires_at, renewed_at)
  values (of_cell, me, my_address, clock_timestamp() + lease, clock_timestamp())
  on conflict (cell) do update
     set holder = excluded.holder, address = excluded.address, expires_at = excluded.expires_at,
         renewed_at = excluded.renewed_at
   where l.expires_at < clock_timestamp()
  returning true into taken;
  if taken is null then
    return null;
  end if;
  perform 1 from leader_epoch where cell = of_cell for update;
  update leader_epoch set epoch = epoch + 1 where cell = of_cell returning epoch into new_epoch;
  return new_epoch;
end $$;
