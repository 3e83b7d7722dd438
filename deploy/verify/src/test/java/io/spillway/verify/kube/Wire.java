package io.spillway.verify.kube;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.net.ssl.SSLContext;

/**
 * What lies between an agent and the API server: sees each request and its status, can be cut, and
 * calls a test before a request goes on and before its answer does, so that a test can kill the
 * agent at that very step. Plain HTTP on the agent's side, TLS on the server's.
 */
public final class Wire implements AutoCloseable {
  private final SSLContext trust;
  private final URI server;
  private final ServerSocket listener;
  private final Set<Socket> open = ConcurrentHashMap.newKeySet();
  private final List<Asked> asked = new CopyOnWriteArrayList<>();
  private volatile Watcher watcher = new Watcher() {};
  private volatile boolean cut;

  /**
   * One request.
   *
   * @param path with its query
   * @param status 0 as long as there is no answer
   */
  public record Asked(String method, String path, int status) {
    /** Whether it changes something. */
    public boolean writes() {
      return !method.equals("GET");
    }
  }

  /** Hears of each request, on the thread that carries it. */
  public interface Watcher {
    /**
     * Before the server gets it.
     *
     * @throws IOException if it shall never get it
     */
    default void before(String method, String path) throws IOException {}

    /**
     * When the server has answered, before the agent hears.
     *
     * @throws IOException if the agent shall never hear
     */
    default void after(Asked asked) throws IOException {}
  }

  Wire(SSLContext trust, URI server) throws IOException {
    this.trust = trust;
    this.server = server;
    this.listener = new ServerSocket(0, 64, InetAddress.getLoopbackAddress());
    Thread.ofVirtual().name("wire").start(this::accept);
  }

  public URI address() {
    return URI.create("http://127.0.0.1:" + listener.getLocalPort());
  }

  /** All requests that were answered, in the order of their answers. */
  public List<Asked> asked() {
    return List.copyOf(asked);
  }

  public void watch(Watcher next) {
    watcher = next;
  }

  /** Nothing goes through any more, in both directions; who connects hears nothing. */
  public void cut() {
    cut = true;
    open.forEach(Wire::close);
  }

  public void mend() {
    cut = false;
  }

  private void accept() {
    while (!listener.isClosed()) {
      try {
        Socket agent = listener.accept();
        open.add(agent);
        if (!cut) {
          Thread.ofVirtual().name("wire").start(() -> carry(agent));
        }
      } catch (IOException e) {
        return; // closed
      }
    }
  }

  private void carry(Socket agent) {
    try (agent;
        Socket upstream = trust.getSocketFactory().createSocket("127.0.0.1", server.getPort())) {
      open.add(upstream);
      InputStream from = new BufferedInputStream(agent.getInputStream());
      Exchange exchange = new Exchange();
      Thread answers = Thread.ofVirtual().start(() -> answers(upstream, agent, exchange));
      HttpHead head = HttpHead.read(from);
      while (head != null) {
        watcher.before(head.method(), head.path());
        exchange.asks(head);
        upstream.getOutputStream().write(head.bytes());
        if (head.upgrades()) {
          from.transferTo(flushing(upstream.getOutputStream()));
          return;
        }
        head.body(from, upstream.getOutputStream());
        upstream.getOutputStream().flush();
        head = HttpHead.read(from);
      }
      close(upstream);
      answers.join();
    } catch (IOException e) {
      // One of both went away; so does the other.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      open.remove(agent);
    }
  }

  /** What was asked last on a connection and has no answer yet. */
  private static final class Exchange {
    private HttpHead head;

    synchronized void asks(HttpHead next) {
      head = next;
    }

    synchronized HttpHead answered() {
      HttpHead it = head;
      head = null;
      return it;
    }
  }

  private void answers(Socket upstream, Socket agent, Exchange exchange) {
    byte[] buffer = new byte[16_384];
    try {
      InputStream in = upstream.getInputStream();
      OutputStream out = agent.getOutputStream();
      for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
        HttpHead head = exchange.answered();
        if (head != null) {
          Asked done = new Asked(head.method(), head.path(), HttpHead.status(buffer, read));
          asked.add(done);
          watcher.after(done);
        }
        out.write(buffer, 0, read);
        out.flush();
      }
    } catch (IOException e) {
      // The other direction notices as well.
    } finally {
      close(agent);
    }
  }

  private static OutputStream flushing(OutputStream out) {
    return new OutputStream() {
      @Override
      public void write(int b) throws IOException {
        out.write(b);
      }

      @Override
      public void write(byte[] bytes, int offset, int length) throws IOException {
        out.write(bytes, offset, length);
        out.flush();
      }
    };
  }

  private static void close(Socket socket) {
    try {
      socket.close();
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    try {
      listener.close();
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
    new ArrayList<>(open).forEach(Wire::close);
  }
}
