/**
 * The use cases around jobs. {@link io.spillway.server.jobs.JobSubmission}: JSON → {@link
 * io.spillway.server.jobs.JobSpec} → checked against the live policies → accepted durably. {@link
 * io.spillway.server.jobs.JobControl}: a command is judged by the row, appended to the inbox,
 * awaited for two seconds, and answered from the row as it is then. {@link
 * io.spillway.server.jobs.JobReading}: one unit of work a call over read-only entities; what only
 * the scheduler's memory knows (position) is asked of the local state. Entities are never written
 * from here: rows belong to the loop once the inbox has them.
 */
package io.spillway.server.jobs;
