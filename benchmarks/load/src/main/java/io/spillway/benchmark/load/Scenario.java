package io.spillway.benchmark.load;

import java.util.List;

/** A load and what is measured under it. */
interface Scenario {
  /** First part of its figures' names. */
  String name();

  /** One line about what is put on. */
  String load();

  List<Figure> run() throws Exception;
}
