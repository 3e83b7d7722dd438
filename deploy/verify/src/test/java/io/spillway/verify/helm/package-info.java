/**
 * The Helm charts, looked at from outside. {@link io.spillway.verify.helm.ChartValuesTest} needs no
 * program; the others run the real Helm of {@code make verify-programs}, without a cluster, and are
 * skipped by name where it is missing. What a chart makes of values is read as Kubernetes objects,
 * never as text.
 */
package io.spillway.verify.helm;
