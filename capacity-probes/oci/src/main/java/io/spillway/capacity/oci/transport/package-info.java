/**
 * The SDK's way to the network on the JDK's own HTTP client. The SDK fetches the tokens of
 * principals itself and asks for a transport by {@link java.util.ServiceLoader}; the transports
 * that Oracle ships bring an implementation of JAX-RS with them, which would meet the server's own.
 * Only what those fetches need is here: small JSON and text, nothing streamed.
 */
package io.spillway.capacity.oci.transport;
