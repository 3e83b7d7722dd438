/**
 * The table of failure scenarios, {@code docs/scenarios.md}: for each id of {@code
 * docs/scenarios.csv} the tests that carry it in their name, or why there is none.
 *
 * <p>The csv says what is wanted, the names of the tests what is there; the page joins the two and
 * is written by {@code make scenarios}. Source text is scanned rather than classes, so that neither
 * a build nor a test run is needed to write it, and a test that a tag leaves out counts too. This
 * package uses the JDK alone: it runs straight from its sources.
 */
package io.spillway.verify.scenarios;
