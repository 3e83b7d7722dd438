package io.spillway.verify;

import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
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

/** The part of {@code make verify-real} that a test belongs to; {@code VERIFY=…} picks parts. */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Inherited
@ExtendWith(Part.Picked.class)
public @interface Part {
  /** Its name, as {@code VERIFY} says it. */
  String value();

  /** Runs what {@code VERIFY} names; all without it. */
  final class Picked implements ExecutionCondition {
    @Override
    public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
      String picked = Optional.ofNullable(System.getenv("VERIFY")).orElse("");
      String part =
          AnnotationSupport.findAnnotation(context.getElement(), Part.class)
              .map(Part::value)
              .orElse("");
      boolean wanted =
          picked.isBlank() || part.isEmpty() || Arrays.asList(picked.split(",")).contains(part);
      return wanted
          ? ConditionEvaluationResult.enabled("picked")
          : ConditionEvaluationResult.disabled("VERIFY=" + picked + " leaves out " + part);
    }
  }
}
