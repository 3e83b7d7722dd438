/**
 * Files to trees of nodes with places. Both formats give the same tree, so nothing after this
 * package knows which it was. Scalars follow YAML 1.2's core schema and keep their text, so that a
 * price keeps its digits and {@code no} stays a word. Anchors, tags, deep nesting and large files
 * are refused while reading: nothing hostile is ever held.
 */
package io.spillway.policies.source;
