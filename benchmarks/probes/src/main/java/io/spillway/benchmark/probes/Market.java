package io.spillway.benchmark.probes;

import io.spillway.capacity.testkit.StubbedProvider;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The providers that are measured, by their modules' contract tests, in forty regions each. A
 * CoreWeave account is one cluster, which lies in one.
 */
enum Market {
  AWS("aws.AwsProbeTest", "us-east-2", "us-far-%02d"),
  AZURE("azure.AzureProbeTest", "eastus", "farus%02d"),
  GCP("gcp.GcpProbeTest", "us-central1", "us-far%02d"),
  OCI("oci.OciProbeTest", "", "eu-frankfurt-%d"),
  COREWEAVE("coreweave.CoreWeaveProbeTest", "", ""),
  LAMBDA("lambda.LambdaProbeTest", "us-east-1", "us-far-%02d"),
  FLUIDSTACK("fluidstack.FluidStackProbeTest", "NORWAY_4_EU", "FAR_%02d_EU"),
  RUNPOD("runpod.RunPodProbeTest", "", ""),
  VAST("vast.VastProbeTest", "", ""),
  CRUSOE("crusoe.CrusoeProbeTest", "us-east1-a", "us-far%02d-a"),
  NEBIUS("nebius.NebiusProbeTest", "eu-north1", "eu-far%02d"),
  HYPERSTACK("hyperstack.HyperstackProbeTest", "CANADA-1", "FAR-%02d"),
  VERDA("verda.VerdaProbeTest", "FIN-01", "FAR-%02d");

  private static final int REGIONS = 40;

  private final String test;
  private final String home;
  private final String others;

  /**
   * @param home the region that the test's answers are about; empty if they are about any
   * @param others how names of regions are built; empty where regions are countries, or an account
   *     has one
   */
  Market(String test, String home, String others) {
    this.test = "io.spillway.capacity." + test;
    this.home = home;
    this.others = others;
  }

  String home() {
    return home;
  }

  /** Regions of an account; empty where those of the contract test do. */
  List<String> regions() {
    return switch (this) {
      case COREWEAVE -> List.of();
      case RUNPOD, VAST -> countries();
      default ->
          Stream.concat(
                  Stream.of(home).filter(name -> !name.isEmpty()),
                  IntStream.rangeClosed(1, REGIONS).mapToObj(others::formatted))
              .limit(REGIONS)
              .toList();
    };
  }

  /** QA to RN: most of them are nobody's. */
  private static List<String> countries() {
    return IntStream.range(0, REGIONS)
        .mapToObj(n -> "" + (char) ('Q' + n / 26) + (char) ('A' + n % 26))
        .toList();
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
