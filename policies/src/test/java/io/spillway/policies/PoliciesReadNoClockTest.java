package io.spillway.policies;

import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import io.spillway.scheduler.architecture.HiddenInputs;
import org.junit.jupiter.api.Test;

class PoliciesReadNoClockTest {
  @Test
  void compiling_the_same_documents_gives_the_same_policy_at_any_time() {
    HiddenInputs.areAbsentFrom("io.spillway.policies..")
        .check(
            new ClassFileImporter()
                .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
                .importPackages("io.spillway.policies"));
  }
}
