package io.spillway.agent.link;

import io.spillway.protocol.v1.AgentFrame;
import io.spillway.protocol.v1.ControlFrame;

/** Opens streams. */
public interface Transport {
  /** From the timeline; does not block. The listener hears that it failed, too. */
  Wire open(Listener listener);

  /** One stream. From the timeline. */
  interface Wire {
    /** Whether a frame would be sent now, and not only kept. */
    boolean ready();

    void send(AgentFrame frame);

    void cancel(String why);
  }

  /** May be called from any thread; once it ended nothing more comes. */
  interface Listener {
    void received(ControlFrame frame);

    void ready();

    void ended(String why);
  }
}
