-- Where other replicas reach it: an agent's logs are read through the replica that has its stream.
alter table gateway_replica add column address text not null default '';
