package io.spillway.server.gateway;

import com.google.protobuf.InvalidProtocolBufferException;
import io.spillway.protocol.v1.AgentFrame;
import io.spillway.protocol.v1.AgentMessage;
import io.spillway.protocol.v1.Hello;

/** Reads the frames of one stream and holds them to the protocol. Not for several threads. */
final class FrameReader {
  private final int maxMessages;
  private long last;
  private boolean greeted;

  FrameReader(int maxMessages) {
    this.maxMessages = maxMessages;
  }

  AgentFrame read(byte[] bytes) throws MalformedFrameException {
    AgentFrame frame = parse(bytes);
    if (frame.getMessagesCount() == 0) {
      throw new MalformedFrameException("frame " + frame.getFrame() + " has no message");
    }
    if (frame.getMessagesCount() > maxMessages) {
      throw new MalformedFrameException(
          "a frame has at most "
              + maxMessages
              + " messages, this one has "
              + frame.getMessagesCount());
    }
    if (greeted) {
      follow(frame);
    } else {
      greet(frame);
    }
    last = frame.getFrame();
    return frame;
  }

  /** The greeting in a frame that {@link #read} took as the first. */
  static Hello hello(AgentFrame first) {
    return first.getMessages(0).getHello();
  }

  private void greet(AgentFrame frame) throws MalformedFrameException {
    if (frame.getMessagesCount() != 1 || !frame.getMessages(0).hasHello()) {
      throw new MalformedFrameException("the first frame holds exactly one message, Hello");
    }
    if (frame.getFrame() < 0) {
      throw new MalformedFrameException("frames count up from a number below 2^63");
    }
    greeted = true;
  }

  private void follow(AgentFrame frame) throws MalformedFrameException {
    if (frame.getFrame() != last + 1) {
      throw new MalformedFrameException(
          "frame " + (last + 1) + " comes next, not " + Long.toUnsignedString(frame.getFrame()));
    }
    for (AgentMessage message : frame.getMessagesList()) {
      if (message.hasHello()) {
        throw new MalformedFrameException("Hello is the first message of a stream only");
      }
    }
  }

  private static AgentFrame parse(byte[] bytes) throws MalformedFrameException {
    try {
      return AgentFrame.parseFrom(bytes);
    } catch (InvalidProtocolBufferException e) {
      throw new MalformedFrameException("not an AgentFrame: " + e.getMessage());
    }
  }
}
