package io.spillway.scheduler.placement;

import io.spillway.scheduler.market.Quote;
import io.spillway.scheduler.model.Rdma;
import java.util.Comparator;

/**
 * An admissible offering on a rung. Earlier rungs go first, within a rung the cheaper, then, for a
 * gang that prefers a fast fabric, one that has it, then the lower id.
 */
public record Choice(Offering offering, int rung, Quote.Priced price) {

  /** Fabric decides between equal prices only: "preferred" is a wish, and the price is money. */
  static Comparator<Choice> order(Rdma rdma) {
    Comparator<Choice> byPrice =
        Comparator.comparingInt(Choice::rung).thenComparing(choice -> choice.price().price());
    Comparator<Choice> byWish =
        rdma == Rdma.PREFERRED
            ? byPrice.thenComparing(choice -> choice.offering().fabric().isEmpty())
            : byPrice;
    return byWish.thenComparingInt(choice -> choice.offering().index());
  }
}
