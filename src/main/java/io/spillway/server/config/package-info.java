/** The server's configuration, one interface per concern; defaults are those of the contract. */
package io.spillway.server.config;
