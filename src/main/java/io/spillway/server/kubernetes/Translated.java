package io.spillway.server.kubernetes;

import java.nio.charset.StandardCharsets;
import java.util.List;

/** What became of a translation. */
public sealed interface Translated {

  /**
   * Objects in the order of their application, each canonical JSON in UTF-8.
   *
   * @param graceSeconds what the pods get to end in
   */
  record Manifests(List<String> objects, int graceSeconds) implements Translated {
    public Manifests {
      objects = List.copyOf(objects);
    }

    /** As they are sent. */
    public List<byte[]> bytes() {
      return objects.stream().map(object -> object.getBytes(StandardCharsets.UTF_8)).toList();
    }
  }

  /**
   * It cannot run there as things stand.
   *
   * @param detail a sentence for people
   */
  record Refused(RefusalCode code, String detail) implements Translated {
    /** The line that explanations show. */
    public String text() {
      return code + ": " + detail;
    }
  }
}
