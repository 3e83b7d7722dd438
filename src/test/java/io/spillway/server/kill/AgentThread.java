package io.spillway.server.kill;

import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;

/** Runs an agent until it is closed; what it threw is told then. */
final class AgentThread implements AutoCloseable {
  private final AtomicReference<Throwable> failure = new AtomicReference<>();
  private final Thread thread;
  private volatile boolean stopping;

  AgentThread(SimAgent agent) {
    thread =
        Thread.ofPlatform()
            .name("agent")
            .daemon()
            .start(
                () -> {
                  try (agent) {
                    agent.connect();
                    while (!stopping) {
                      agent.step();
                      LockSupport.parkNanos(5_000_000L); // its pace
                    }
                  } catch (Exception e) {
                    failure.set(e);
                  }
                });
  }

  @Override
  public void close() {
    stopping = true;
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    if (failure.get() != null) {
      throw new IllegalStateException("the agent failed", failure.get());
    }
  }
}
