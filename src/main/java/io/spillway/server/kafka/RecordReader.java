package io.spillway.server.kafka;

import io.spillway.server.events.EventInputs;
import java.time.Instant;

/** Reads one record's value. Never throws for bad text. */
@FunctionalInterface
interface RecordReader {
  EventInputs read(String value, Instant receivedAt);
}
