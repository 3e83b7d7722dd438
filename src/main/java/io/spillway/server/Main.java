package io.spillway.server;

import io.quarkus.runtime.Quarkus;
import io.quarkus.runtime.annotations.QuarkusMain;
import io.spillway.server.replay.ReplayMain;
import java.util.Arrays;

/** Starts the server, or with {@code replay …} decides a journal again. */
@QuarkusMain
public final class Main {
  private Main() {}

  public static void main(String... arguments) {
    if (arguments.length > 0 && arguments[0].equals("replay")) {
      ReplayMain.main(Arrays.copyOfRange(arguments, 1, arguments.length));
    }
    Quarkus.run(arguments);
  }
}
