/**
 * How clouds behave towards a customer: they grant nodes after a while, refuse them at once or
 * later with their own words, time out after the work was done, announce that they take nodes back
 * (in the real shapes of their events) and sometimes do not. All of it is drawn from one seed and
 * can be forced.
 */
package io.spillway.capacity.simulated.cloud;
