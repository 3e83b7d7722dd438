package io.spillway.server.inbox;

import io.spillway.scheduler.input.Lane;
import java.util.UUID;

/**
 * Who writes: two per lane and process start, and a new one after a batch whose outcome is unknown
 * (its rows may still appear, below numbers that a leader would have passed already).
 *
 * @param replica the process, for people
 */
record WriterId(String cell, String writer, Lane lane, String replica) {
  static WriterId fresh(String cell, Lane lane, String replica) {
    return new WriterId(cell, UUID.randomUUID().toString(), lane, replica);
  }

  /** The lane as the store knows it; smaller goes first. */
  int laneNumber() {
    return switch (lane) {
      case NOTICES -> 0;
      case REPORTS -> 1;
      case COMMANDS -> 2;
      case OBSERVATIONS -> 3;
    };
  }
}
