package io.spillway.scheduler.event;

/** A journalled fact. */
public sealed interface Event
    permits JobEvent, AttemptEvent, MarketEvent, ClusterEvent, ControlEvent, ClassEvent {}
