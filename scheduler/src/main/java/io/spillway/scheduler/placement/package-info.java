/** Finds where waiting jobs go: ladder, filters with reasons, ranks. */
package io.spillway.scheduler.placement;
