/**
 * What only the whole set shows: references, sums, and what is allowed but most likely not meant.
 * Each rule is a small class over the declared set; offerings are enumerated from clusters and
 * pools, for these are the places where policies can make the core start anything. A price is known
 * only at run time, so no rule guesses one. Codes and their reasons: the module's README.
 */
package io.spillway.policies.lint;
