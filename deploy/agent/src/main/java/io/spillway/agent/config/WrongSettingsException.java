package io.spillway.agent.config;

import java.util.List;

/** Settings that the agent cannot start with; the message has a line for each. */
public final class WrongSettingsException extends Exception {
  private static final long serialVersionUID = 1L;

  public WrongSettingsException(List<String> wrong) {
    super(String.join(System.lineSeparator(), wrong));
  }
}
