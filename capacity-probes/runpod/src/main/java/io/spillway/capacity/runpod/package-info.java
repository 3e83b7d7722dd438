/**
 * RunPod as a provider. One GraphQL query tells the data centres, a few more the price, the lowest
 * bid and the stock of every GPU type in each, by count ({@link
 * io.spillway.capacity.runpod.RunPodProbe}); refusals are sentences, with any HTTP status, 200
 * among them ({@link io.spillway.capacity.runpod.RunPodFailures}). RunPod rents containers, which
 * join no Kubernetes cluster: its market is shown for comparison. It pushes no event.
 */
package io.spillway.capacity.runpod;
