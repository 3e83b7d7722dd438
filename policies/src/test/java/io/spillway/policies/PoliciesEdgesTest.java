package io.spillway.policies;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.time.Clock;
import java.time.Instant;
import java.util.Random;
import org.junit.jupiter.api.Test;

class PoliciesEdgesTest {
  private final JavaClasses policies =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .importPackages("io.spillway.policies");

  @Test
  void the_stages_know_only_those_before_them() {
    slices()
        .matching("io.spillway.policies.(*)..")
        .should()
        .beFreeOfCycles()
        .because("a stage takes what the one before made")
        .check(policies);
    noClasses()
        .that()
        .resideInAnyPackage("io.spillway.policies.finding", "io.spillway.policies.source")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("io.spillway.scheduler..", "io.spillway.policies.schema..")
        .because("reading a file needs no knowledge of what it says")
        .check(policies);
  }

  @Test
  void the_same_files_give_the_same_set_at_any_time() {
    noClasses()
        .should()
        .callMethod(Instant.class, "now")
        .orShould()
        .dependOnClassesThat()
        .areAssignableTo(Clock.class)
        .orShould()
        .dependOnClassesThat()
        .areAssignableTo(Random.class)
        .check(policies);
  }

  @Test
  void only_the_reader_of_yaml_knows_its_library_and_only_the_check_that_of_schemas() {
    noClasses()
        .that()
        .doNotHaveFullyQualifiedName("io.spillway.policies.source.YamlSource")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("org.yaml..")
        .check(policies);
    noClasses()
        .that()
        .resideOutsideOfPackage("io.spillway.policies.schema")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("com.networknt..")
        .check(policies);
  }
}
