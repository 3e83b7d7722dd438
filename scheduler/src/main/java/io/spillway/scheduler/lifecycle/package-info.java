/**
 * The states of jobs and attempts as sealed types whose methods are the only legal transitions
 * (semantics §4). An illegal transition does not compile; a final state has no methods.
 */
package io.spillway.scheduler.lifecycle;
