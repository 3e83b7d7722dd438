-- What the cluster's agent said last that it can run (agent.proto, Capabilities), so that every replica can tell
-- what a job would become there, also while no agent is connected.
alter table agent_session add column capabilities bytea;
