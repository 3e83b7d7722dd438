/**
 * The control plane: everything around the decision core that talks to users, clouds, agents and
 * the database.
 */
package io.spillway.server;
