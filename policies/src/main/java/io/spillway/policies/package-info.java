/**
 * Queue policies: files in, one versioned policy set out, or findings with places.
 *
 * <p>Stages, each a package: {@code source} (files to trees with places), {@code schema} (the shape
 * of each document, by the JSON Schemas that serve editors too), {@code read} (documents to
 * records), {@code lint} (what only the whole set shows), and here the compiler. Everything is a
 * pure function of the files: no clock, so a pool that is over is no finding; no network; no state.
 */
package io.spillway.policies;
