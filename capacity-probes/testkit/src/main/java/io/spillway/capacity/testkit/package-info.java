/** The contract test that every provider passes, and what it needs. */
package io.spillway.capacity.testkit;
