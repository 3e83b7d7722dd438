package io.spillway.verify.helm;

import io.spillway.verify.Part;
import io.spillway.verify.real.Programs;
import io.spillway.verify.real.Repository;
import java.io.IOException;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;

/** The real Helm, without a cluster. */
final class HelmProgram {
  /** Helm is told which Kubernetes to render for, since there is none to ask. */
  private static final String KUBERNETES = "1.36.3";

  private HelmProgram() {}

  /** A test with the real Helm. */
  @Target(ElementType.TYPE)
  @Retention(RetentionPolicy.RUNTIME)
  @Tag("real")
  @Part("kubernetes")
  @ExtendWith(There.class)
  @interface WithHelm {}

  /** What one run came to. */
  record Run(int exit, String output) {}

  static Path path() {
    return Programs.cache().resolve("kubernetes/bin/helm");
  }

  /** The objects of a chart under its release's usual name. */
  static Rendered render(Chart chart, Path values, String... settings)
      throws IOException, InterruptedException {
    Run run = template(chart, values, settings);
    if (run.exit() != 0) {
      throw new AssertionError(chart + " with " + values + ":\n" + run.output());
    }
    return Rendered.of(run.output());
  }

  static Run template(Chart chart, Path values, String... settings)
      throws IOException, InterruptedException {
    List<String> words =
        new ArrayList<>(List.of("template", chart.path().getFileName().toString()));
    words.addAll(List.of(chart.path().toString(), "--namespace", "spillway-system"));
    words.addAll(List.of("--kube-version", KUBERNETES, "--values", values.toString()));
    words.addAll(Arrays.asList(settings));
    return run(words);
  }

  static Run lint(Chart chart, Path values) throws IOException, InterruptedException {
    return run(List.of("lint", "--strict", chart.path().toString(), "--values", values.toString()));
  }

  static Run run(List<String> words) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of(path().toString()));
    command.addAll(words);
    return finish(new ProcessBuilder(command));
  }

  /** A line as somebody pastes it into a shell at the root of the checkout. */
  static Run paste(String line) throws IOException, InterruptedException {
    ProcessBuilder shell = new ProcessBuilder("sh", "-c", line);
    shell.environment().merge("PATH", path().getParent() + ":", (old, first) -> first + old);
    return finish(shell);
  }

  private static Run finish(ProcessBuilder builder) throws IOException, InterruptedException {
    Path home = Files.createTempDirectory("spillway-helm");
    for (String kept : List.of("CACHE", "CONFIG", "DATA")) {
      builder.environment().put("HELM_" + kept + "_HOME", home.resolve(kept).toString());
    }
    builder.environment().put("KUBECONFIG", home.resolve("none").toString());
    Process process =
        builder.directory(Repository.root().toFile()).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return new Run(process.waitFor(), output);
  }

  /** Skips by name where Helm is not. */
  static final class There implements ExecutionCondition {
    @Override
    public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
      return Files.isExecutable(path())
          ? ConditionEvaluationResult.enabled("helm is there")
          : ConditionEvaluationResult.disabled(
              "helm is not there: VERIFY=kubernetes make verify-programs");
    }
  }
}
