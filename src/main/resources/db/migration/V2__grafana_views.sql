-- What the dashboards read, as a user that may read nothing else. The login itself is made by the
-- operator (deploy/grafana/README.md): grant spillway_dashboards to it.
create schema grafana;

create view grafana.placements as
select a.created_at,
       a.job_id,
       j.name                                                         as job_name,
       j.queue,
       a.number,
       a.core::jsonb -> 'placement' ->> 'rungName'                    as rung,
       a.offering,
       round((a.core::jsonb -> 'placement' ->> 'price')::numeric / 1e6, 4) as usd_per_gpu_hour,
       (a.core::jsonb -> 'placement' ->> 'nodes')::int
         * (a.core::jsonb -> 'placement' ->> 'gpusPerNode')::int      as gpus,
       a.state,
       a.outcome,
       a.reason
from public.attempt a
join public.job j on j.id = a.job_id;

create view grafana.refusals as
select e.decided_at,
       e.queue,
       e.shape_class,
       r.key                                                  as refusal,
       r.value::int                                           as offerings,
       (select string_agg(distinct p ->> 'kind', ', ')
          from jsonb_array_elements(coalesce(e.body -> 'parked', '[]')) p) as waits_for,
       coalesce((e.body ->> 'quarantined')::boolean, false)   as quarantined
from public.evaluation e
cross join lateral jsonb_each_text(coalesce(e.body -> 'refusals', '{}')) r
where jsonb_array_length(coalesce(e.body -> 'placed', '[]')) = 0;

create view grafana.candidates as
select e.decided_at,
       e.queue,
       e.shape_class,
       (c ->> 'rank')::int                              as rank,
       (c ->> 'rung')::int                              as rung,
       c ->> 'offering'                                 as offering,
       round((c ->> 'price')::numeric / 1e6, 4)         as usd_per_gpu_hour,
       c ->> 'refusal'                                  as refusal,
       c ->> 'until'                                    as until,
       c ->> 'detail'                                   as detail
from public.evaluation e
cross join lateral jsonb_array_elements(coalesce(e.body -> 'candidates', '[]')) c;

create view grafana.interruptions as
select a.ended_at,
       a.job_id,
       j.name     as job_name,
       j.queue,
       a.number,
       a.offering,
       a.outcome,
       a.reason,
       n.offering as next_offering
from public.attempt a
join public.job j on j.id = a.job_id
left join public.attempt n on n.job_id = a.job_id and n.number = a.number + 1
where a.outcome in ('INTERRUPTED', 'INFRASTRUCTURE', 'FENCED');

create view grafana.job_costs as
select a.job_id,
       j.name     as job_name,
       j.queue,
       count(*)   as attempts,
       round(sum(t.gpu_hours * t.price) / 1e6, 4)           as usd,
       round(sum(t.gpu_hours * t.on_demand_price) / 1e6, 4) as on_demand_usd
from public.attempt a
join public.job j on j.id = a.job_id
cross join lateral (
  select greatest(extract(epoch from a.ended_at - (a.core::jsonb ->> 'runningSince')::timestamptz), 0) / 3600
           * (a.core::jsonb -> 'placement' ->> 'nodes')::int
           * (a.core::jsonb -> 'placement' ->> 'gpusPerNode')::int     as gpu_hours,
         (a.core::jsonb -> 'placement' ->> 'price')::numeric           as price,
         (a.core::jsonb -> 'placement' ->> 'onDemandPrice')::numeric   as on_demand_price
) t
where a.ended_at is not null
  and a.core::jsonb ? 'runningSince'
group by a.job_id, j.name, j.queue;

do $$
begin
  if not exists (select from pg_roles where rolname = 'spillway_dashboards') then
    create role spillway_dashboards nologin;
  end if;
end $$;
grant usage on schema grafana to spillway_dashboards;
grant select on all tables in schema grafana to spillway_dashboards;
