package io.spillway.capacity.aws;

import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import software.amazon.awssdk.http.nio.netty.SdkEventLoopGroup;

/**
 * The threads of all accounts: one for connections, one for time-outs. Nothing that runs there
 * waits, so no account holds up another; connections themselves are each account's own. Open while
 * somebody uses them. Any thread.
 */
final class AwsThreads implements AutoCloseable {
  private static final Object LOCK = new Object();
  private static AwsThreads open;

  private final SdkEventLoopGroup connections =
      SdkEventLoopGroup.builder().numberOfThreads(1).build();
  private final ScheduledThreadPoolExecutor timer =
      new ScheduledThreadPoolExecutor(
          1, task -> Thread.ofPlatform().daemon().name("spillway-aws-timer").unstarted(task));
  private int users;

  private AwsThreads() {}

  /** One more user, who closes it once. */
  static AwsThreads use() {
    synchronized (LOCK) {
      if (open == null) {
        open = new AwsThreads();
      }
      open.users++;
      return open;
    }
  }

  SdkEventLoopGroup connections() {
    return connections;
  }

  ScheduledThreadPoolExecutor timer() {
    return timer;
  }

  // The threads end on their own time; nobody waits for them.
  @SuppressWarnings("FutureReturnValueIgnored")
  @Override
  public void close() {
    synchronized (LOCK) {
      users--;
      if (users > 0) {
        return;
      }
      open = null;
    }
    connections.eventLoopGroup().shutdownGracefully(0, 1, TimeUnit.SECONDS);
    timer.shutdownNow();
  }
}
