/**
 * Queue policies: YAML documents, their schema, the linter, and the compiler to records of the
 * core.
 */
package io.spillway.policies;
