/** The only port that is listened on: for the kubelet's probes and a scraper in the cluster. */
package io.spillway.agent.health;
