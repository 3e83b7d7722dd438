package io.spillway.server.providers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import io.spillway.capacity.spi.CapacityProvider;
import io.spillway.capacity.spi.FailureClassifier.Failure;
import io.spillway.scheduler.model.BlockScope;
import io.spillway.scheduler.model.CapacityFailure;
import io.spillway.scheduler.model.CapacityType;
import io.spillway.scheduler.model.FailureClass;
import io.spillway.scheduler.model.MarketKey;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * The canonical table as one: every row by at least one refusal, through the modules of this build.
 * The modules' own tests know many more.
 */
class CanonicalFailuresTest {
  private static final int ROWS = 130;

  /** Where families can be told by the name. */
  private static final Map<String, String> TYPES =
      Map.of(
          "aws", "p5.48xlarge",
          "azure", "Standard_ND96isr_H100_v5",
          "gcp", "a3-highgpu-8g",
          "oci", "BM.GPU.H100.8",
          "crusoe", "h100-80gb-sxm-ib.8x");

  private final Map<String, CapacityProvider> modules = Providers.installed();

  @Test
  void every_row_of_the_table_has_a_refusal() throws IOException {
    assertThat(rows().map(Row::number).distinct())
        .containsExactlyElementsOf(IntStream.rangeClosed(1, ROWS).boxed().toList());
  }

  @TestFactory
  Stream<DynamicTest> a_refusal_means_what_the_table_says() throws IOException {
    return rows().map(row -> dynamicTest(row.text(), () -> holds(row)));
  }

  private void holds(Row row) {
    MarketKey key = row.key();
    CapacityFailure answer =
        modules
            .get(row.provider())
            .classifier()
            .classify(new Failure(key, row.code(), row.message(), row.status(), Instant.EPOCH));

    assertThat(answer.failureClass()).isEqualTo(row.expected());
    assertThat(reach(answer.scope(), key)).isEqualTo(row.reach());
    assertThat(answer.block().toSeconds()).isBetween(row.shortest(), row.longest());
  }

  private static String reach(BlockScope scope, MarketKey key) {
    String market = Stream.of(scope.text().split("/", -1)).skip(5).collect(Collectors.joining("/"));
    return part(scope.region(), key.region(), "R")
        + '/'
        + part(scope.zone(), key.zone(), "Z")
        + '/'
        + part(scope.family(), key.instanceType(), "T")
        + '/'
        + market;
  }

  private static String part(Optional<String> of, String whole, String name) {
    return of.map(text -> text.equals(whole) ? name : "F").orElse("*");
  }

  private static Stream<Row> rows() throws IOException {
    try (BufferedReader file =
        new BufferedReader(
            new InputStreamReader(
                CanonicalFailuresTest.class.getResourceAsStream("canonical-failures.csv"),
                StandardCharsets.UTF_8))) {
      List<Row> rows = file.lines().filter(line -> !line.startsWith("#")).map(Row::of).toList();
      return rows.stream();
    }
  }

  private record Row(
      String text,
      int number,
      String provider,
      CapacityType market,
      int status,
      String code,
      String message,
      FailureClass expected,
      String reach,
      long shortest,
      long longest) {
    static Row of(String line) {
      String[] told = line.split("\\|", -1);
      String[] seconds = told[8].split("-", -1);
      return new Row(
          line,
          Integer.parseInt(told[0]),
          told[1],
          CapacityType.parse(told[2]),
          Integer.parseInt(told[3]),
          told[4],
          told[5],
          FailureClass.valueOf(told[6]),
          told[7],
          Long.parseLong(seconds[0]),
          Long.parseLong(seconds[seconds.length - 1]));
    }

    MarketKey key() {
      return new MarketKey(
          provider,
          "prod",
          "r-1",
          "r-1-a",
          TYPES.getOrDefault(provider, "h100.8x"),
          market,
          market == CapacityType.RESERVED ? Optional.of("res-1") : Optional.empty());
    }
  }
}
