package io.spillway.server.simulation;

import io.spillway.scheduler.cycle.Cycle;
import io.spillway.scheduler.event.Event;
import io.spillway.scheduler.input.Inputs;
import io.spillway.server.codec.StoreCodec;
import io.spillway.server.loop.Journal;
import io.spillway.server.replay.RecordedJournal;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A simulated run's journal, in the text that a store would keep. */
final class RecordedRun implements RecordedJournal {
  private final List<Journal.Entry> entries;
  private final List<Recorded> rows = new ArrayList<>();
  private final StoreCodec codec;

  RecordedRun(SimStore store, StoreCodec codec) {
    this.entries = List.copyOf(store.journal());
    this.codec = codec;
    List<Inputs> taken = store.inputs();
    for (int i = 0; i < entries.size(); i++) {
      Journal.Entry entry = entries.get(i);
      rows.add(
          new Recorded(
              entry.seq(),
              entry.cycle(),
              entry.core(),
              entry.planHash(),
              entry.digest(),
              StoreCodec.FORMAT,
              codec.received(taken.get(i).received())));
    }
  }

  long rows() {
    return rows.size();
  }

  Cycle cycle(long seq) {
    return entries.get((int) seq - 1).cycle();
  }

  List<Event> plan(long seq) {
    return entries.get((int) seq - 1).events();
  }

  @Override
  public long first() {
    return 1;
  }

  @Override
  public List<Recorded> after(long seq, int limit) {
    int from = (int) seq;
    return rows.subList(from, Math.min(rows.size(), from + limit));
  }

  @Override
  public String events(long seq) {
    return codec.events(plan(seq));
  }

  @Override
  public Optional<StoredAt> olderMemo() {
    return Optional.empty();
  }
}
