package io.spillway.server.jobs;

import com.fasterxml.jackson.databind.JsonNode;
import io.smallrye.mutiny.Uni;
import io.spillway.scheduler.cycle.CoreSettings;
import io.spillway.scheduler.event.AttemptEvent.LaunchNotAdmitted;
import io.spillway.scheduler.event.AttemptEvent.LaunchUntranslatable;
import io.spillway.scheduler.model.OfferingId;
import io.spillway.scheduler.plan.RefusalReason;
import io.spillway.server.codec.StoreCodec;
import io.spillway.server.sse.FeedItem;
import io.spillway.server.sse.JournalPages;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Puts the words of a refused launch (a cluster's gate, or what a cluster cannot give) beside the
 * offering that is kept away from the job because of it. Decisions need only how long and on which
 * grounds; people want to know why. The words stand in the journal.
 */
@ApplicationScoped
class RefusalWords {
  private static final String EXCLUDED = RefusalReason.EXCLUDED.name();
  private static final String UNTRANSLATABLE = RefusalReason.TRANSLATION_REFUSED.name();
  private static final String NOT_ADMITTED = LaunchNotAdmitted.class.getSimpleName();
  private static final String NOT_TRANSLATED = LaunchUntranslatable.class.getSimpleName();
  private static final String BY_US = "refused by translation: ";
  private static final int MOST = 200;
  private static final Duration EXCLUSION = CoreSettings.DEFAULT.blocks().gate();
  private static final Duration CLOCKS_DIFFER = Duration.ofSeconds(10);

  private final JournalPages pages;
  private final StoreCodec codec;
  private final InstantSource clock = InstantSource.system();

  RefusalWords(JournalPages pages, StoreCodec codec) {
    this.pages = pages;
    this.codec = codec;
  }

  /** The same answer, with words where there are any; without a query if it can have none. */
  Uni<ExplainAnswer> in(JobRow row, ExplainAnswer answer) {
    if (answer.candidates().stream().noneMatch(RefusalWords::wanting)) {
      return Uni.createFrom().item(answer);
    }
    return pages
        .before(since(row))
        .chain(
            from ->
                pages.read(
                    new JournalPages.Query(
                        from, Optional.of(row.id), item -> refused(row, item), MOST)))
        .map(page -> answer.withCandidates(worded(answer.candidates(), words(page.items()))));
  }

  /** Older refusals keep nothing away any more; and a job's whole history may be long. */
  private Instant since(JobRow row) {
    Instant submitted = row.submittedAt.minus(CLOCKS_DIFFER);
    Instant excluded = clock.instant().minus(EXCLUSION).minus(CLOCKS_DIFFER);
    return submitted.isAfter(excluded) ? submitted : excluded;
  }

  private static boolean wanting(ExplainAnswer.Candidate candidate) {
    return candidate
        .refusal()
        .filter(why -> why.equals(UNTRANSLATABLE) || (why.equals(EXCLUDED) && isBare(candidate)))
        .isPresent();
  }

  private static boolean isBare(ExplainAnswer.Candidate candidate) {
    return candidate.detail().isEmpty();
  }

  private static boolean refused(JobRow row, FeedItem item) {
    boolean refusal = item.type().equals(NOT_ADMITTED) || item.type().equals(NOT_TRANSLATED);
    return refusal && item.job().filter(row.id::equals).isPresent();
  }

  /** Of several refusals of one offering the last counts. */
  private Map<String, String> words(List<FeedItem> refusals) {
    Map<String, String> words = new HashMap<>();
    for (FeedItem refusal : refusals) {
      JsonNode offering = refusal.data().path("offering");
      String name = codec.read(StoreCodec.FORMAT, offering.toString(), OfferingId.class).text();
      String said = refusal.text("words").orElse("");
      words.put(name, refusal.type().equals(NOT_TRANSLATED) ? BY_US + said : said);
    }
    return words;
  }

  private static List<ExplainAnswer.Candidate> worded(
      List<ExplainAnswer.Candidate> candidates, Map<String, String> words) {
    return candidates.stream()
        .map(
            candidate ->
                wanting(candidate)
                    ? candidate.withDetail(
                        joined(words.getOrDefault(candidate.offering(), ""), candidate.detail()))
                    : candidate)
        .toList();
  }

  private static String joined(String why, String untilWhen) {
    return why.isEmpty() || untilWhen.isEmpty() ? why + untilWhen : why + "; " + untilWhen;
  }
}
