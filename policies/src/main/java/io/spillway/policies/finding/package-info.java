/** What the loader and the linter say about a set: codes, severities and places. */
package io.spillway.policies.finding;
