package io.spillway.capacity.vast;

import io.spillway.capacity.http.HttpCall;
import io.spillway.capacity.http.JsonView;
import io.spillway.capacity.http.MalformedException;
import io.spillway.scheduler.model.CapacityType;
import java.math.BigDecimal;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Follows one market's offers by their price, since a search has no pages of its own. Notes when it
 * came to the end of the offers; three full answers are enough, and then there are more.
 */
final class Paging {
  /** Answers of a market in a round. */
  static final int MOST = 3;

  private final VastSearch search;
  private final CapacityType market;
  private final Set<CapacityType> ended;
  private Optional<BigDecimal> last = Optional.empty();
  private int pages;

  /**
   * @param ended takes the market when all its offers were seen
   */
  Paging(VastSearch search, CapacityType market, Set<CapacityType> ended) {
    this.search = search;
    this.market = market;
    this.ended = ended;
  }

  Optional<HttpCall> next(JsonView page) {
    List<JsonView> offers = page.list("offers");
    pages++;
    if (offers.size() < VastSearch.PAGE) {
      ended.add(market);
      return Optional.empty();
    }
    BigDecimal dearest = offers.getLast().decimal("dph_base");
    if (last.isPresent() && dearest.compareTo(last.get()) <= 0) {
      throw new MalformedException("a search for dearer offers found the same: it does not end");
    }
    last = Optional.of(dearest);
    return pages < MOST ? Optional.of(search.call(market, last)) : Optional.empty();
  }
}
