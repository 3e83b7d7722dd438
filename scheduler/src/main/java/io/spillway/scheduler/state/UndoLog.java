package io.spillway.scheduler.state;

import java.util.ArrayList;

/** Inverse operations of everything done since a draft was opened, latest last. */
final class UndoLog {
  private final ArrayList<Runnable> inverse = new ArrayList<>();
  private int openDrafts;

  boolean isRecording() {
    return openDrafts > 0;
  }

  void record(Runnable undo) {
    inverse.add(undo);
  }

  /** Opens a level; the returned mark is what {@link #rewind} and {@link #close} take. */
  int open() {
    openDrafts++;
    return inverse.size();
  }

  /** Takes back everything since the mark, latest first, and closes its level. */
  void rewind(int mark) {
    while (inverse.size() > mark) {
      inverse.removeLast().run();
    }
    openDrafts--;
  }

  /** Keeps everything; the outermost level forgets how to undo it. */
  void close() {
    openDrafts--;
    if (openDrafts == 0) {
      inverse.clear();
      inverse.trimToSize();
    }
  }
}
