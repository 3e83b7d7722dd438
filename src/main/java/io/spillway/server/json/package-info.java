/**
 * Strict reading of JSON that strangers send. {@link io.spillway.server.json.StrictJson} turns
 * bytes into a tree within limits (size, depth, string length, no duplicate keys) or says line and
 * column; {@link io.spillway.server.json.JsonFields} walks one object, field by field, and collects
 * every fault with its path instead of stopping at the first; what was not asked for is an unknown
 * field.
 */
package io.spillway.server.json;
