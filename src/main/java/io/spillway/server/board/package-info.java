/**
 * What operators see and set: queues, the market board, pools, nodes, clusters, the system's flags.
 * {@link io.spillway.server.board.Boards} asks the local copy of the scheduler's state, so every
 * replica answers; {@link io.spillway.server.board.OperatorCommands} checks that the subject
 * exists, appends the command to the inbox and waits two seconds for its commit.
 */
package io.spillway.server.board;
