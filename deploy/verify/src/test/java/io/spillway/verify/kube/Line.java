package io.spillway.verify.kube;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A line between an agent and the control plane that can be cut as a network is: both ends keep
 * their connections and hear nothing, and new ones stay unanswered. Bytes that were under way come
 * through once it is mended, as TCP would send them again.
 */
public final class Line implements AutoCloseable {
  private final int port;
  private final ServerSocket listener;
  private final Set<Socket> open = ConcurrentHashMap.newKeySet();
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition mended = lock.newCondition();
  private boolean cut;

  /**
   * @param port of loopback to which it leads
   */
  public Line(int port) throws IOException {
    this.port = port;
    this.listener = new ServerSocket(0, 64, InetAddress.getLoopbackAddress());
    Thread.ofVirtual().name("line").start(this::accept);
  }

  /** Where it begins. */
  public int port() {
    return listener.getLocalPort();
  }

  public void cut() {
    set(true);
  }

  public void mend() {
    set(false);
  }

  private void set(boolean now) {
    lock.lock();
    try {
      cut = now;
      mended.signalAll();
    } finally {
      lock.unlock();
    }
  }

  private void passable() throws InterruptedException {
    lock.lock();
    try {
      while (cut) {
        mended.await();
      }
    } finally {
      lock.unlock();
    }
  }

  private void accept() {
    while (!listener.isClosed()) {
      try {
        Socket from = listener.accept();
        open.add(from);
        Thread.ofVirtual().name("line").start(() -> connect(from));
      } catch (IOException e) {
        return; // closed
      }
    }
  }

  private void connect(Socket from) {
    try {
      passable();
      Socket to = new Socket(InetAddress.getLoopbackAddress(), port);
      open.add(to);
      Thread.ofVirtual().name("line").start(() -> carry(to, from));
      carry(from, to);
    } catch (IOException e) {
      close(from); // nobody listens there
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void carry(Socket from, Socket to) {
    byte[] some = new byte[16_384];
    try {
      InputStream in = from.getInputStream();
      OutputStream out = to.getOutputStream();
      for (int read = in.read(some); read >= 0; read = in.read(some)) {
        passable();
        out.write(some, 0, read);
      }
    } catch (IOException e) {
      // One end went away; the other hears of it below.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      close(from);
      close(to);
    }
  }

  private void close(Socket socket) {
    open.remove(socket);
    try {
      socket.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    mend();
    try {
      listener.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    new ArrayList<>(open).forEach(this::close);
  }
}
