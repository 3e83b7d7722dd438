/**
 * Where a class of jobs may go and where it goes. The catalogue lists every offering that policies,
 * pools and reported nodes allow; a static match per (shape, queue policy) leaves those that could
 * ever fit, rung by rung; filters give each of them an admissible verdict or one reason; the ladder
 * says which rungs are open; within a rung the cheapest per GPU-hour wins. Gangs go whole onto one
 * offering of one cluster. Each step takes values and returns values; the placer strings them
 * together over a draft, so that a placement is seen by the next one in the same decision.
 */
package io.spillway.scheduler.placement;
