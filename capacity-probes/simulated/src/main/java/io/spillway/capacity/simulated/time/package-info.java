/**
 * Time as the simulated clouds see it. Everything they do happens on one timeline, so nothing else
 * needs a lock: the real one runs tasks on its own thread, the virtual one when a test moves it.
 */
package io.spillway.capacity.simulated.time;
