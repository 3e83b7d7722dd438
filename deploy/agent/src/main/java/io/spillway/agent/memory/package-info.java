/**
 * What an agent must still know after it, its node and its control plane were gone: kept in
 * ConfigMaps of its own namespace. How often it took the lead, the newest store it heard of, and
 * the attempts that must never start (again): those that ended, that were stopped, and those that
 * its gate refused.
 */
package io.spillway.agent.memory;
