package io.spillway.benchmark.probes;

import io.spillway.capacity.testkit.StubbedProvider;
import java.util.List;
import java.util.stream.IntStream;

/** The providers that are measured, by their modules' contract tests. */
enum Market {
  AWS("aws.AwsProbeTest", "us-east-"),
  AZURE("azure.AzureProbeTest", ""),
  GCP("gcp.GcpProbeTest", ""),
  OCI("oci.OciProbeTest", "eu-frankfurt-"),
  COREWEAVE("coreweave.CoreWeaveProbeTest", ""),
  LAMBDA("lambda.LambdaProbeTest", "us-east-"),
  FLUIDSTACK("fluidstack.FluidStackProbeTest", ""),
  RUNPOD("runpod.RunPodProbeTest", ""),
  VAST("vast.VastProbeTest", ""),
  CRUSOE("crusoe.CrusoeProbeTest", ""),
  NEBIUS("nebius.NebiusProbeTest", ""),
  HYPERSTACK("hyperstack.HyperstackProbeTest", ""),
  VERDA("verda.VerdaProbeTest", "");

  private static final int REGIONS = 40;

  private final String test;
  private final String prefix;

  /**
   * @param prefix how the names of its many regions begin; empty where accounts have a few
   */
  Market(String test, String prefix) {
    this.test = "io.spillway.capacity." + test;
    this.prefix = prefix;
  }

  /** Regions of an account; empty where those of the contract test do. */
  List<String> regions() {
    return prefix.isEmpty()
        ? List.of()
        : IntStream.rangeClosed(1, REGIONS).mapToObj(number -> prefix + number).toList();
  }

  /** Its module and its interface. */
  StubbedProvider stubbed() {
    try {
      return StubbedProvider.of(test);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("no contract test " + test, e);
    }
  }
}
