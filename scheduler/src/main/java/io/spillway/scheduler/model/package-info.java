/**
 * The domain's values: jobs as users order them, offerings, capacity, money. Records without
 * behaviour beyond their own validity; every textual form here is canonical, so that two equal
 * values print alike on every JVM (the state digest is computed from these texts).
 */
package io.spillway.scheduler.model;
