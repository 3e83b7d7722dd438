package io.spillway.server;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import org.junit.jupiter.api.Test;

class ServerEdgesTest {
  private static final String PATH = "jakarta.ws.rs.Path";

  private final JavaClasses server =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .importPackages("io.spillway.server");

  @Test
  void the_loop_knows_nothing_of_reactive_types_or_the_framework() {
    noClasses()
        .that()
        .resideInAPackage("io.spillway.server.loop..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("io.smallrye..", "io.vertx..", "io.quarkus..")
        .because("the loop runs on its own thread and must read like the story it tells")
        .allowEmptyShould(true)
        .check(server);
  }

  @Test
  void resources_do_not_call_each_other() {
    classes()
        .that()
        .areAnnotatedWith(PATH)
        .should(dependOnNoOther(DescribedPredicate.describe("resource", c -> isResource(c))))
        .allowEmptyShould(true)
        .check(server);
  }

  @Test
  void the_ways_in_do_not_call_each_other() {
    slices()
        .matching("io.spillway.server.(rest|kafka|gateway|probes)..")
        .should()
        .notDependOnEachOther()
        .because("each of them ends at the inbox or at a query")
        .allowEmptyShould(true)
        .check(server);
  }

  @Test
  void no_provider_is_named() {
    noClasses()
        .should()
        .dependOnClassesThat(
            JavaClass.Predicates.resideInAPackage("io.spillway.capacity..")
                .and(
                    DescribedPredicate.not(
                        JavaClass.Predicates.resideInAPackage("io.spillway.capacity.spi.."))))
        .because("providers are found by ServiceLoader")
        .check(server);
  }

  private static boolean isResource(JavaClass type) {
    return type.isAnnotatedWith(PATH);
  }

  private static ArchCondition<JavaClass> dependOnNoOther(DescribedPredicate<JavaClass> kind) {
    return new ArchCondition<>("depend on no other " + kind.getDescription()) {
      @Override
      public void check(JavaClass type, ConditionEvents events) {
        type.getDirectDependenciesFromSelf().stream()
            .filter(d -> !d.getTargetClass().equals(type) && kind.test(d.getTargetClass()))
            .forEach(d -> events.add(SimpleConditionEvent.violated(d, d.getDescription())));
      }
    };
  }
}
