package io.spillway.scheduler.placement;

import io.spillway.scheduler.market.Quote;
import io.spillway.scheduler.plan.RefusalReason;
import java.time.Instant;
import java.util.Optional;

/** What an offering is for one class of jobs, now. */
public sealed interface Verdict {

  /** It may be taken. */
  record Admissible(Quote.Priced price) implements Verdict {}

  /**
   * It may not.
   *
   * @param until when the refusal ends by itself, if time alone can end it
   * @param subject what else can end it: a block's scope, the fallback that is cheaper; else empty
   * @param detail numbers behind the reason where they are at hand, else empty
   */
  record Refused(RefusalReason reason, Optional<Instant> until, String subject, String detail)
      implements Verdict {
    static Refused of(RefusalReason reason) {
      return new Refused(reason, Optional.empty(), "", "");
    }

    static Refused of(RefusalReason reason, Optional<Instant> until) {
      return new Refused(reason, until, "", "");
    }
  }
}
