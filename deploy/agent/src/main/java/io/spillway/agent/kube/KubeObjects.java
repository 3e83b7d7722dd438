package io.spillway.agent.kube;

import io.fabric8.kubernetes.api.model.DeletionPropagation;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.GenericKubernetesResourceList;
import io.fabric8.kubernetes.api.model.ListOptionsBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.FilterWatchListDeletable;
import io.fabric8.kubernetes.client.dsl.MixedOperation;
import io.fabric8.kubernetes.client.dsl.Resource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Supplier;

/** Single objects, read and written. Every call blocks. From any thread. */
public final class KubeObjects {
  /** Under which the API server keeps what is ours in an object. */
  public static final String FIELD_MANAGER = "spillway-agent";

  private static final long PAGE = 500;

  private final KubernetesClient client;

  public KubeObjects(KubernetesClient client) {
    this.client = client;
  }

  public Optional<GenericKubernetesResource> find(ObjectRef ref)
      throws ClusterAwayException, RefusedByClusterException {
    return call(ref.toString(), () -> Optional.ofNullable(at(ref).get()));
  }

  /**
   * Makes the object what the manifest says, by server-side apply.
   *
   * @throws RefusedByClusterException if it is invalid, forbidden, or has no namespace to lie in
   */
  public void apply(ObjectRef ref, GenericKubernetesResource manifest)
      throws ClusterAwayException, RefusedByClusterException {
    call(
        ref.toString(),
        () -> {
          var all = client.genericKubernetesResources(ref.kind().context());
          Resource<GenericKubernetesResource> one =
              ref.kind().namespaced()
                  ? all.inNamespace(ref.namespace()).resource(manifest)
                  : all.resource(manifest);
          return one.fieldManager(FIELD_MANAGER).forceConflicts().serverSideApply();
        });
  }

  /**
   * Deletes it; what it owns goes first. No error if it is not there.
   *
   * @param graceSeconds what its pods' containers get to end in, at least 1; empty: as they say
   */
  public void delete(ObjectRef ref, OptionalLong graceSeconds)
      throws ClusterAwayException, RefusedByClusterException {
    call(
        ref.toString(),
        () -> {
          var one = at(ref);
          if (graceSeconds.isPresent()) {
            // Never 0: that forgets a pod whose containers may still run.
            return one.withGracePeriod(Math.max(1, graceSeconds.getAsLong())).delete();
          }
          return one.withPropagationPolicy(
                  ref.kind().runs()
                      ? DeletionPropagation.FOREGROUND
                      : DeletionPropagation.BACKGROUND)
              .delete();
        });
  }

  /** All of that kind with these labels, in every namespace. */
  public List<GenericKubernetesResource> list(Kind kind, String selector)
      throws ClusterAwayException, RefusedByClusterException {
    return call(kind.text() + " list", () -> pages(kind, Optional.empty(), selector));
  }

  /** All of that kind with these labels in one namespace. */
  public List<GenericKubernetesResource> list(Kind kind, String namespace, String selector)
      throws ClusterAwayException, RefusedByClusterException {
    return call(kind.text() + " list", () -> pages(kind, Optional.of(namespace), selector));
  }

  /** Where a {@link Reflector} finds one kind with these labels, in every namespace. */
  public static FilterWatchListDeletable<
          GenericKubernetesResource, GenericKubernetesResourceList, ?>
      following(KubernetesClient client, Kind kind, String selector) {
    return client
        .genericKubernetesResources(kind.context())
        .inAnyNamespace()
        .withLabelSelector(selector);
  }

  private List<GenericKubernetesResource> pages(
      Kind kind, Optional<String> namespace, String selector) {
    List<GenericKubernetesResource> all = new ArrayList<>();
    String next = null;
    do {
      var resources = client.genericKubernetesResources(kind.context());
      var scope =
          namespace.isPresent()
              ? resources.inNamespace(namespace.get())
              : resources.inAnyNamespace();
      GenericKubernetesResourceList page =
          scope
              .withLabelSelector(selector)
              .list(new ListOptionsBuilder().withLimit(PAGE).withContinue(next).build());
      all.addAll(page.getItems());
      next = page.getMetadata() == null ? null : page.getMetadata().getContinue();
    } while (next != null && !next.isEmpty());
    return all;
  }

  private Resource<GenericKubernetesResource> at(ObjectRef ref) {
    MixedOperation<
            GenericKubernetesResource,
            GenericKubernetesResourceList,
            Resource<GenericKubernetesResource>>
        all = client.genericKubernetesResources(ref.kind().context());
    return ref.kind().namespaced()
        ? all.inNamespace(ref.namespace()).withName(ref.name())
        : all.withName(ref.name());
  }

  /** The one place where a failed call gets its consequence. */
  static <R> R call(String what, Supplier<R> call)
      throws ClusterAwayException, RefusedByClusterException {
    try {
      return call.get();
    } catch (KubernetesClientException e) {
      // What is wrong with the call itself stays wrong. 401 does not: tokens are renewed.
      switch (e.getCode()) {
        case 400, 403, 404, 405, 413, 415, 422 ->
            throw new RefusedByClusterException(what + ": " + words(e), e);
        default -> throw new ClusterAwayException(what + ": " + words(e), e);
      }
    }
  }

  private static String words(KubernetesClientException e) {
    String status = e.getStatus() == null ? null : e.getStatus().getMessage();
    return status == null || status.isBlank() ? String.valueOf(e.getMessage()) : status;
  }
}
