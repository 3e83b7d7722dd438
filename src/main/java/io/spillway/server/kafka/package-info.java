/**
 * Kafka's edge. Inbound: three topics in batches; a partition's offset moves in the transaction of
 * the rows it brought, so that Kafka's own commits do not matter. Outbound: job events, relayed
 * from the journal by a cursor, at least once. Dead letters are acknowledged by the broker before
 * the offset passes them.
 */
package io.spillway.server.kafka;
