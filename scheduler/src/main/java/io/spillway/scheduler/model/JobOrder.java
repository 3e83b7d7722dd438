package io.spillway.scheduler.model;

import java.time.Duration;
import java.util.Optional;

/**
 * What the scheduler needs to know of a job. The rest of the specification (image, command,
 * storage…) stays in the store and travels with the start command only.
 *
 * @param priorityClass the name of a priority class allowed in the queue
 * @param checkpointInterval how often the job saves its work; empty = not at all
 * @param timeout running time over all attempts after which the job ends
 * @param queueTtl time since submit after which a job that never ran fails
 */
public record JobOrder(
    String name,
    QueueName queue,
    String priorityClass,
    boolean preemptible,
    JobShape shape,
    Optional<Duration> checkpointInterval,
    Optional<Duration> timeout,
    Optional<Duration> queueTtl) {}
