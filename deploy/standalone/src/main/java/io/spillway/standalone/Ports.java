package io.spillway.standalone;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;

/** Free ports of the loopback interface. */
final class Ports {
  private Ports() {}

  /** The wanted port, or any free one if 0 is wanted. Another process may take it meanwhile. */
  static int free(int wanted) {
    if (wanted != 0) {
      return wanted;
    }
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    } catch (IOException e) {
      throw new UncheckedIOException("there is no free port", e);
    }
  }

  static boolean taken(int port) {
    try (ServerSocket _ = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
      return false;
    } catch (IOException e) {
      return true;
    }
  }
}
