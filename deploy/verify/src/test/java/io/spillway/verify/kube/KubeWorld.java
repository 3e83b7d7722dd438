package io.spillway.verify.kube;

import io.spillway.verify.Part;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * One cluster with its kubelet, started once for all tests that ask for it; they keep apart by
 * namespaces and names of nodes.
 */
public record KubeWorld(KubeCluster cluster, TestKubelet kubelet) implements AutoCloseable {

  /** A test with a real Kubernetes; its methods may ask for a {@link KubeWorld}. */
  @Target(ElementType.TYPE)
  @Retention(RetentionPolicy.RUNTIME)
  @Tag("real")
  @Part("kubernetes")
  @ExtendWith(Shared.class)
  public @interface Kubernetes {}

  /** One with the operators of JobSet and MPIJob. */
  static KubeWorld start(KubePrograms programs) throws Exception {
    return started(
        directory -> {
          KubeCluster cluster = KubeCluster.start(programs, directory);
          Operators.start(cluster, programs);
          return cluster;
        });
  }

  /** One as it comes: gangs are Indexed Jobs with a Service there. */
  static KubeWorld plain(KubePrograms programs) throws Exception {
    return started(directory -> KubeCluster.plain(programs, directory));
  }

  private interface Start {
    KubeCluster in(Path directory) throws Exception;
  }

  private static KubeWorld started(Start start) throws Exception {
    Path directory = Files.createTempDirectory("spillway-kubernetes");
    long began = System.nanoTime();
    KubeCluster cluster = start.in(directory);
    System.out.printf(
        "[kubernetes] ready after %.1f s, in %s%n", (System.nanoTime() - began) / 1e9, directory);
    return new KubeWorld(cluster, new TestKubelet("shared", cluster.admin()));
  }

  @Override
  public void close() {
    kubelet.close();
    cluster.close();
  }

  /**
   * Two clusters, for what moves from one to the other; the first is the shared one, the second is
   * without operators.
   */
  public record Pair(KubeWorld first, KubeWorld second) {}

  /** Skips by name where the programs are not; else hands out the one world, and a second. */
  static final class Shared implements ExecutionCondition, ParameterResolver {
    private static final ExtensionContext.Namespace OURS =
        ExtensionContext.Namespace.create(KubeWorld.class);

    @Override
    public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
      return KubePrograms.find().isPresent()
          ? ConditionEvaluationResult.enabled("the programs are there")
          : ConditionEvaluationResult.disabled(
              "kubernetes is not there: VERIFY=kubernetes make verify-programs");
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
      Class<?> type = parameter.getParameter().getType();
      return type == KubeWorld.class || type == Pair.class;
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
      KubeWorld first = world(context, "first", KubeWorld::start);
      return parameter.getParameter().getType() == KubeWorld.class
          ? first
          : new Pair(first, world(context, "second", KubeWorld::plain));
    }

    private interface Kind {
      KubeWorld of(KubePrograms programs) throws Exception;
    }

    /** Started when first asked for, ended with the last test. */
    private static KubeWorld world(ExtensionContext context, String which, Kind kind) {
      return context
          .getRoot()
          .getStore(OURS)
          .computeIfAbsent(
              which,
              key -> {
                try {
                  return kind.of(KubePrograms.find().orElseThrow());
                } catch (Exception e) {
                  throw new IllegalStateException("the cluster did not come up", e);
                }
              },
              KubeWorld.class);
    }
  }
}
