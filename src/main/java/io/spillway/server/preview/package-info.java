/** What a job would become in a cluster, without sending it there. */
package io.spillway.server.preview;
