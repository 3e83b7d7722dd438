package io.spillway.verify.kube;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import org.junit.jupiter.api.Test;

class LineTest {
  @Test
  void a_cut_line_is_silent_and_brings_what_was_said_once_it_is_mended() throws IOException {
    try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        Line line = new Line(server.getLocalPort());
        Socket near = new Socket(InetAddress.getLoopbackAddress(), line.port());
        Socket far = server.accept()) {
      near.getOutputStream().write('a');
      assertThat(far.getInputStream().read()).isEqualTo('a');

      line.cut();
      near.getOutputStream().write('b');
      far.setSoTimeout(200);
      assertThatThrownBy(() -> far.getInputStream().read())
          .isInstanceOf(SocketTimeoutException.class);

      line.mend();
      far.setSoTimeout(10_000);
      assertThat(far.getInputStream().read()).isEqualTo('b');
      near.shutdownOutput();
      assertThat(far.getInputStream().read()).isEqualTo(-1);
    }
  }
}
