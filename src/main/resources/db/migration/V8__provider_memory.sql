-- What probes learnt of an account and its events need, for the replicas that do not probe: EC2's events name zones by names that
-- mean another zone in every account.
create table provider_memory (
    provider text not null,
    account text not null,
    name text not null,
    value text not null,
    primary key (provider, account, name)
);
