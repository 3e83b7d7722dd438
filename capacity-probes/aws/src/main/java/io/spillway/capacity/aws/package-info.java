/** AWS as a provider: so far the normaliser of its events and the classifier of its failures. */
package io.spillway.capacity.aws;
