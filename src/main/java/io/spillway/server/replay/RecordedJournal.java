package io.spillway.server.replay;

import io.spillway.scheduler.cycle.Cycle;
import io.spillway.scheduler.state.Memo;
import java.util.List;
import java.util.Optional;

/** What replay needs of a journal. Called by one thread; may block. */
public interface RecordedJournal {

  /**
   * A row without its plan.
   *
   * @param format of {@code inputs} and of the plan, see {@link
   *     io.spillway.server.codec.StoreCodec}
   * @param inputs as they were stored
   */
  record Recorded(
      long seq,
      Cycle cycle,
      String core,
      String planHash,
      long digest,
      int format,
      String inputs) {}

  /** A stored memo. */
  record StoredAt(long seq, Memo memo) {}

  /** Number of the first row that is there; 1 for an empty journal. */
  long first();

  /** Rows after that number, in order, at most that many. */
  List<Recorded> after(long seq, int limit);

  /** The recorded plan, to be shown or to be applied without deciding. */
  String events(long seq);

  /** The older of the memos that are kept, if one was written. */
  Optional<StoredAt> olderMemo();
}
