/** What a cycle decided: events to commit, evaluations to store, when to look again. */
package io.spillway.scheduler.plan;
