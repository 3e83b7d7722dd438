package io.spillway.verify.kube;

import static org.assertj.core.api.Assertions.assertThat;

import io.spillway.verify.kube.Wire.Asked;
import org.junit.jupiter.api.Test;

class ApiUseTest {
  private static ApiUse use(String method, String path) {
    return ApiUse.of(new Asked(method, path, 200)).orElseThrow();
  }

  @Test
  void requests_are_told_in_the_words_of_rbac() {
    assertThat(use("GET", "/api/v1/pods?labelSelector=a"))
        .isEqualTo(new ApiUse("list", "", "pods", ""));
    assertThat(use("GET", "/api/v1/pods?watch=true&labelSelector=a"))
        .isEqualTo(new ApiUse("watch", "", "pods", ""));
    assertThat(use("GET", "/api/v1/namespaces/a/pods/p/log?follow=true"))
        .isEqualTo(new ApiUse("get", "", "pods/log", "a"));
    assertThat(use("PATCH", "/apis/batch/v1/namespaces/a/jobs/j?fieldManager=m"))
        .isEqualTo(new ApiUse("patch", "batch", "jobs", "a"));
    assertThat(use("POST", "/apis/coordination.k8s.io/v1/namespaces/a/leases"))
        .isEqualTo(new ApiUse("create", "coordination.k8s.io", "leases", "a"));
    assertThat(use("GET", "/api/v1/namespaces/a"))
        .isEqualTo(new ApiUse("get", "", "namespaces", ""));
    assertThat(ApiUse.of(new Asked("GET", "/version", 200))).isEmpty();
    assertThat(ApiUse.of(new Asked("GET", "/apis/batch/v1", 200))).isEmpty();
  }
}
