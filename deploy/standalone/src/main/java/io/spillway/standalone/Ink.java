package io.spillway.standalone;

import java.io.Console;
import java.util.Optional;

/** Colour for terminals; plain where nobody sees it, or where NO_COLOR asks for it. */
record Ink(boolean colour) {
  private static final String OFF = "\u001b[0m";

  /** Colour if standard output is a terminal. */
  static Ink forStandardOutput() {
    // Since JDK 25 there is again no console at all behind a pipe.
    boolean terminal = Optional.ofNullable(System.console()).map(Console::isTerminal).orElse(false);
    return new Ink(terminal && System.getenv("NO_COLOR") == null);
  }

  String green(String text) {
    return paint("\u001b[32m", text);
  }

  String cyan(String text) {
    return paint("\u001b[36m", text);
  }

  String yellow(String text) {
    return paint("\u001b[33m", text);
  }

  String red(String text) {
    return paint("\u001b[31m", text);
  }

  String dim(String text) {
    return paint("\u001b[2m", text);
  }

  String bold(String text) {
    return paint("\u001b[1m", text);
  }

  private String paint(String code, String text) {
    return colour ? code + text + OFF : text;
  }
}
