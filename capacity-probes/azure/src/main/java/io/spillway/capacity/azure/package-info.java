/** Azure as a provider: so far its events and its failures. */
package io.spillway.capacity.azure;
