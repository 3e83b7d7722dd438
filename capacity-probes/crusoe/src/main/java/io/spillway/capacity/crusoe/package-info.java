/**
 * Crusoe Cloud as a provider. Two signed calls tell how much free hardware there is of each type
 * and place, and what the types are ({@link io.spillway.capacity.crusoe.CrusoeProbe}); neither
 * tells a price, so shipped ones are shown. Launches are refused late, by the operation ({@link
 * io.spillway.capacity.crusoe.CrusoeFailures}). No notice is known to exist.
 */
package io.spillway.capacity.crusoe;
