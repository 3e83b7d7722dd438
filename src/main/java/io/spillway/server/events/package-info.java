/**
 * Events of providers, whichever way they came: each is offered to the provider modules in turn,
 * and to Spillway's own CloudEvents reader first. What nobody understands is a dead letter with a
 * reason; nothing is dropped silently.
 */
package io.spillway.server.events;
