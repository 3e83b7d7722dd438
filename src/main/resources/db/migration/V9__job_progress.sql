-- What a job said last of its progress. No decision rests on it, so it is written apart from the journal,
-- in batches, by whichever replica heard it; deleted with the job.
create table job_progress (
  job_id      text primary key,
  attempt     int not null,
  source      text not null,
  body        jsonb not null,
  reported_at timestamptz not null
) with (fillfactor = 70);
