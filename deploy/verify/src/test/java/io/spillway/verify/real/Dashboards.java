package io.spillway.verify.real;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** What the dashboards and the alert rules ask. */
record Dashboards(List<Query> queries, List<String> uids, List<String> faults) {
  private static final Pattern EXPR = Pattern.compile("^\\s*expr: (.*)$", Pattern.MULTILINE);

  /** One question. */
  record Query(String place, Language language, String text) {}

  /** Of which store. */
  enum Language {
    PROMQL,
    SQL
  }

  static Dashboards read(Path root) throws IOException {
    List<Query> queries = new ArrayList<>();
    List<String> uids = new ArrayList<>();
    List<String> faults = new ArrayList<>();
    try (Stream<Path> files = Files.list(root.resolve("deploy/grafana/dashboards"))) {
      for (Path file : files.sorted().toList()) {
        JsonNode dashboard = new ObjectMapper().readTree(file.toFile());
        uids.add(dashboard.path("uid").asText());
        TreeSet<Integer> ids = new TreeSet<>();
        for (JsonNode panel : dashboard.path("panels")) {
          if (!ids.add(panel.path("id").asInt())) {
            faults.add(file.getFileName() + ": panel id " + panel.path("id") + " twice");
          }
          String place = file.getFileName() + ": " + panel.path("title").asText();
          panel.path("targets").forEach(target -> add(queries, place, target));
        }
      }
    }
    Matcher rules = EXPR.matcher(Files.readString(root.resolve("deploy/prometheus/rules.yml")));
    while (rules.find()) {
      queries.add(new Query("rules.yml", Language.PROMQL, rules.group(1)));
    }
    return new Dashboards(queries, uids, faults);
  }

  private static void add(List<Query> queries, String place, JsonNode target) {
    if (target.has("expr")) {
      queries.add(new Query(place, Language.PROMQL, target.path("expr").asText()));
    } else if (target.has("rawSql")) {
      queries.add(new Query(place, Language.SQL, target.path("rawSql").asText()));
    } else {
      throw new UncheckedIOException(new IOException(place + ": a target without a query"));
    }
  }

  List<Query> of(Language language) {
    return queries.stream().filter(query -> query.language() == language).toList();
  }
}
