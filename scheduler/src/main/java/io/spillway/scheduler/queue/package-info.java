/**
 * The order of waiting jobs and what each of them waits for. Jobs that would be judged alike (same
 * queue, priority, shape and standing) form one class; the class is judged by its head, and a class
 * that cannot be placed is parked with the causes that can change the verdict. Order is priority,
 * then submit time, then id, across queues and within; a back-off hides a job until it is due and
 * never changes its place. A parked class costs nothing until one of its causes happens, so a
 * hundred thousand waiting jobs cost what the few woken classes cost.
 */
package io.spillway.scheduler.queue;
