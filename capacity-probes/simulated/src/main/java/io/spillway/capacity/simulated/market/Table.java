package io.spillway.capacity.simulated.market;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** A comma-separated file without quotes, as the traces are. */
record Table(Path file, List<String> header, List<List<String>> rows) {

  static Table read(Path file) throws IOException {
    List<List<String>> lines = new ArrayList<>();
    for (String line : Files.readAllLines(file)) {
      if (!line.isBlank()) {
        lines.add(List.of(line.strip().split(",", -1)));
      }
    }
    if (lines.size() < 2) {
      throw new IOException(file + " has no rows");
    }
    List<String> header = lines.getFirst();
    for (int i = 1; i < lines.size(); i++) {
      if (lines.get(i).size() != header.size()) {
        throw new IOException(file + " line " + (i + 1) + ": not " + header.size() + " columns");
      }
    }
    return new Table(file, header, lines.subList(1, lines.size()));
  }

  /** The first column as instants, {@code 2025-10-04T00:10:00Z} or {@code 2023-02-15 22:08:16}. */
  List<Instant> ticks() throws IOException {
    List<Instant> ticks = new ArrayList<>(rows.size());
    for (List<String> row : rows) {
      String text = row.getFirst().replace(' ', 'T');
      try {
        ticks.add(Instant.parse(text.endsWith("Z") ? text : text + "Z"));
      } catch (DateTimeException e) {
        throw new IOException(file + ": '" + row.getFirst() + "' is no time", e);
      }
    }
    return List.copyOf(ticks);
  }

  List<Integer> integers(int column, int factor) throws IOException {
    List<Integer> values = new ArrayList<>(rows.size());
    for (List<String> row : rows) {
      try {
        values.add(Integer.parseInt(row.get(column).strip()) * factor);
      } catch (NumberFormatException e) {
        throw new IOException(file + ": '" + row.get(column) + "' is no count", e);
      }
    }
    return List.copyOf(values);
  }
}
