/**
 * The shape of documents, held in one place: the JSON Schemas of this module's resources, which
 * also serve editors. Their refusals are told in the linter's words, with a code and a place. What
 * a schema cannot say (references, sums, dates that exist) is checked when documents are read and
 * linted.
 */
package io.spillway.policies.schema;
