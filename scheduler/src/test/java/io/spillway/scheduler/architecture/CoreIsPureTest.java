package io.spillway.scheduler.architecture;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.time.Instant;
import java.util.Random;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class CoreIsPureTest {
  private static final String CORE = "io.spillway.scheduler..";

  private final JavaClasses core =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_PACKAGE_INFOS)
          .importPackages("io.spillway.scheduler");

  @Test
  void the_core_knows_the_jdk_and_itself_only() {
    classes()
        .that()
        .resideInAPackage(CORE)
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage("java..", CORE)
        .check(core);
  }

  @Test
  void the_core_reads_no_clock_and_draws_no_number_of_its_own() {
    HiddenInputs.areAbsentFrom(CORE).check(core);
  }

  @Test
  void YUN_06_the_core_has_no_lock_to_take_in_the_wrong_order() {
    noClasses()
        .that()
        .resideInAPackage(CORE)
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("java.util.concurrent..")
        .because("one thread owns the state")
        .check(core);
  }

  @Test
  void the_core_reaches_for_no_file_network_database_or_log() {
    noClasses()
        .that()
        .resideInAPackage(CORE)
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("java.nio.file..", "java.net..", "java.sql..", "java.util.logging..")
        .because("what happens outside comes in as an input and goes out as a plan")
        .check(core);
  }

  static Stream<Class<?>> culprits() {
    return Stream.of(
        ReadsTheClock.class,
        ReadsTheTimer.class,
        DrawsUnseeded.class,
        DrawsAnywhere.class,
        InventsAnId.class,
        LooksAround.class);
  }

  @ParameterizedTest
  @MethodSource("culprits")
  void a_class_that_reads_a_hidden_input_is_found(Class<?> culprit) {
    assertThat(findings(culprit)).isTrue();
  }

  @Test
  void a_seeded_generator_is_no_hidden_input() {
    assertThat(findings(DrawsSeeded.class)).isFalse();
  }

  private static boolean findings(Class<?> type) {
    return HiddenInputs.areAbsentFrom(type.getPackageName())
        .evaluate(new ClassFileImporter().importClasses(type))
        .hasViolation();
  }

  static final class ReadsTheClock {
    Instant value() {
      return Instant.now();
    }
  }

  static final class ReadsTheTimer {
    long value() {
      return System.nanoTime();
    }
  }

  static final class DrawsUnseeded {
    int value() {
      return new Random().nextInt();
    }
  }

  static final class DrawsAnywhere {
    double value() {
      return Math.random();
    }
  }

  static final class InventsAnId {
    UUID value() {
      return UUID.randomUUID();
    }
  }

  static final class LooksAround {
    String value() {
      return System.getenv("HOME");
    }
  }

  static final class DrawsSeeded {
    int value(long seed) {
      return new Random(seed).nextInt();
    }
  }
}
