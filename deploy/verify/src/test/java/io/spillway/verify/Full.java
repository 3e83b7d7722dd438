package io.spillway.verify;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.Arrays;
import java.util.Optional;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.platform.commons.support.AnnotationSupport;

/**
 * A test that takes too long for every {@code make verify-real}; it runs when {@code VERIFY_FULL}
 * names it.
 */
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(Full.Asked.class)
public @interface Full {
  /** Its name, as {@code VERIFY_FULL} says it. */
  String value();

  /** Runs what is named, skips the rest by name. */
  final class Asked implements ExecutionCondition {
    /** Whether {@code VERIFY_FULL} names it. */
    public static boolean names(String part) {
      String all = Optional.ofNullable(System.getenv("VERIFY_FULL")).orElse("");
      return Arrays.asList(all.split(",")).contains(part);
    }

    @Override
    public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
      String part =
          AnnotationSupport.findAnnotation(context.getElement(), Full.class)
              .map(Full::value)
              .orElse("");
      return part.isEmpty() || names(part)
          ? ConditionEvaluationResult.enabled("asked for")
          : ConditionEvaluationResult.disabled("too long for every run: VERIFY_FULL=" + part);
    }
  }
}
