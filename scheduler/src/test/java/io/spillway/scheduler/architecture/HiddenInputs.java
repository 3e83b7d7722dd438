package io.spillway.scheduler.architecture;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.lang.ArchRule;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.InstantSource;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import java.util.random.RandomGenerator;

/**
 * The rule that replay rests on: nothing that decides may read a clock, draw an unseeded number or
 * look at its surroundings. Whoever breaks it decides differently the second time.
 */
public final class HiddenInputs {
  private static final Set<String> UNSEEDED =
      Set.of(Random.class.getName(), SplittableRandom.class.getName());

  private static final Set<String> RANDOM =
      Set.of(
          SecureRandom.class.getName(),
          ThreadLocalRandom.class.getName(),
          "java.util.random.RandomGeneratorFactory");

  private static final Map<String, Set<String>> METHODS =
      Map.of(
          System.class.getName(),
          Set.of("currentTimeMillis", "nanoTime", "getenv", "getProperty", "identityHashCode"),
          Math.class.getName(),
          Set.of("random"),
          UUID.class.getName(),
          Set.of("randomUUID"),
          RandomGenerator.class.getName(),
          Set.of("getDefault", "of"),
          Clock.class.getName(),
          Set.of("systemUTC", "systemDefaultZone", "system", "tickSeconds", "tickMinutes"),
          InstantSource.class.getName(),
          Set.of("system"),
          "java.time.ZoneId",
          Set.of("systemDefault"),
          "java.util.Locale",
          Set.of("getDefault"),
          "java.util.TimeZone",
          Set.of("getDefault"));

  private HiddenInputs() {}

  /** No class in the packages may read one. */
  public static ArchRule areAbsentFrom(String... packages) {
    return noClasses()
        .that()
        .resideInAnyPackage(packages)
        .should()
        .accessTargetWhere(DescribedPredicate.describe("it is a hidden input", HiddenInputs::is))
        .because("time, ids and randomness are inputs of a decision, or it cannot be replayed")
        .allowEmptyShould(true);
  }

  private static boolean is(JavaAccess<?> access) {
    String owner = access.getTargetOwner().getName();
    String member = access.getName();
    boolean now = owner.startsWith("java.time.") && member.equals("now");
    boolean unseeded =
        UNSEEDED.contains(owner)
            && member.equals("<init>")
            && access.getTarget().getFullName().endsWith("<init>()");
    return now
        || unseeded
        || RANDOM.contains(owner)
        || METHODS.getOrDefault(owner, Set.of()).contains(member);
  }
}
