package io.spillway.agent.link;

import com.google.protobuf.MessageLite;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/** A list that may be larger than a frame, as the items of several messages. */
public final class MessageParts {
  /** A frame has room for 4 MiB. */
  private static final int BYTES_OF_MESSAGE = 2 << 20;

  private MessageParts() {}

  /** All items in their order; at least one part, which then may be empty. */
  public static <M extends MessageLite> List<List<M>> of(Collection<M> items) {
    List<List<M>> parts = new ArrayList<>();
    List<M> part = new ArrayList<>();
    int bytes = 0;
    for (M item : items) {
      if (bytes > BYTES_OF_MESSAGE) {
        parts.add(part);
        part = new ArrayList<>();
        bytes = 0;
      }
      part.add(item);
      bytes += item.getSerializedSize();
    }
    parts.add(part);
    return parts;
  }
}
