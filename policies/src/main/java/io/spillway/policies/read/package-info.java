/**
 * Documents to records: the core's own, and beside them what only the linter needs. Defaults lie
 * beneath a document's own words. Shape is taken as checked; a date, GPU model or time zone that
 * does not exist is reported here.
 */
package io.spillway.policies.read;
