package io.spillway.scheduler.state;

import io.spillway.scheduler.model.BlockScope;
import io.spillway.scheduler.model.BlockScope.Reserved;
import io.spillway.scheduler.model.MarketKey;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Finds the blocks that cover a market key. A scope's family is any prefix, so no key leads to it;
 * blocks are looked through by (provider, account), of which few have many.
 */
final class Blocks {
  private static final Comparator<Block> WIDEST_FIRST =
      Comparator.<Block>comparingInt(block -> parts(block.scope()))
          .thenComparing(Block::until, Comparator.reverseOrder())
          .thenComparing(Block::scope);

  private record Account(String provider, String account) {}

  private final Map<Account, Map<BlockScope, Block>> byAccount = new HashMap<>();

  Blocks(Table<BlockScope, Block> table) {
    table.listen(this::changed);
  }

  /**
   * The widest block that covers the key and is in force; among equals the one that lasts longer.
   */
  Optional<Block> inForce(MarketKey key, Instant now) {
    return covering(key).stream().filter(block -> block.inForce(now)).min(WIDEST_FIRST);
  }

  private List<Block> covering(MarketKey key) {
    List<Block> covering = new ArrayList<>();
    Map<BlockScope, Block> blocks =
        byAccount.getOrDefault(new Account(key.provider(), key.account()), Map.of());
    for (Block block : blocks.values()) {
      if (block.scope().covers(key)) {
        covering.add(block);
      }
    }
    return covering;
  }

  private void changed(BlockScope scope, Block before, Block after) {
    Account account = new Account(scope.provider(), scope.account());
    if (after != null) {
      byAccount.computeIfAbsent(account, a -> new HashMap<>()).put(scope, after);
    } else if (before != null) {
      Map<BlockScope, Block> blocks = byAccount.get(account);
      blocks.remove(scope);
      if (blocks.isEmpty()) {
        byAccount.remove(account);
      }
    }
  }

  private static int parts(BlockScope scope) {
    return (scope.region().isPresent() ? 1 : 0)
        + (scope.zone().isPresent() ? 1 : 0)
        + (scope.family().isPresent() ? 1 : 0)
        + (scope.capacityType().isPresent() ? 1 : 0)
        + (scope.reservation().isPresent() || scope.reserved() == Reserved.LEFT_OUT ? 1 : 0);
  }
}
