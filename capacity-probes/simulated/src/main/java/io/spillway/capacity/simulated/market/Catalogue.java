package io.spillway.capacity.simulated.market;

import io.spillway.scheduler.model.GpuModel;
import io.spillway.scheduler.model.NodeShape;
import io.spillway.scheduler.model.Usd;
import io.spillway.scheduler.model.UsdPerGpuHour;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * List prices of whole nodes in USD per hour, as published: AWS, GCP, OCI and Nebius as stored in
 * the public price catalogues of 2026 (seen 2026-11-30), CoreWeave's list of 2026-10-04, Crusoe's
 * of 2026-08. Spot prices are those of that day; where a provider publishes none, the cell is a
 * dash and the type is not sold as spot here. A provider without zones repeats its region.
 */
public final class Catalogue {
  private static final String H100 = "nvidia-h100-80gb";
  private static final String H200 = "nvidia-h200-141gb";
  private static final String B200 = "nvidia-b200-180gb";

  private static final List<Listing> LISTINGS = listings();

  private Catalogue() {}

  /** Everything listed. */
  public static List<Listing> all() {
    return LISTINGS;
  }

  /**
   * The listing of that type in that place; a type that is listed elsewhere by the same provider is
   * taken at the price of the first such place, so that a policy may name any zone.
   */
  public static Optional<Listing> find(
      String provider, String region, String zone, String instanceType) {
    List<Listing> sameType =
        LISTINGS.stream()
            .filter(l -> l.provider().equals(provider) && l.instanceType().equals(instanceType))
            .toList();
    return sameType.stream()
        .filter(l -> l.zone().equals(zone))
        .findFirst()
        .or(() -> sameType.stream().findFirst().map(l -> l.in(region, zone)));
  }

  private static List<Listing> listings() {
    Table table = new Table();
    table.type("aws", "p5.48xlarge", H100, 8, 192, 2048);
    table.row("us-east-1", "use1-az3", "55.04", "14.5820");
    table.row("us-east-1", "use1-az5", "55.04", "14.2460");
    table.row("us-east-1", "use1-az6", "55.04", "14.8686");
    table.row("us-east-2", "use2-az1", "55.04", "17.2949");
    table.row("us-east-2", "use2-az2", "55.04", "15.5483");
    table.row("us-east-2", "use2-az3", "55.04", "15.0600");
    table.row("us-west-2", "usw2-az1", "55.04", "21.6229");
    table.row("us-west-2", "usw2-az2", "55.04", "21.7123");
    table.type("aws", "p5.4xlarge", H100, 1, 16, 256);
    table.row("us-east-2", "use2-az1", "6.88", "-");
    table.row("us-east-2", "use2-az2", "6.88", "-");
    table.type("aws", "p5en.48xlarge", H200, 8, 192, 2048);
    table.row("us-east-2", "use2-az1", "63.296", "16.1289");
    table.row("us-east-2", "use2-az2", "63.296", "16.7397");
    table.type("aws", "p6-b200.48xlarge", B200, 8, 192, 2048);
    table.row("us-east-2", "use2-az1", "113.9328", "24.9450");
    table.row("us-east-2", "use2-az2", "113.9328", "24.8895");
    table.type("gcp", "a3-highgpu-8g", H100, 8, 208, 1872);
    table.row("us-central1", "us-central1-a", "87.83247", "25.55326");
    table.row("us-central1", "us-central1-b", "87.83247", "25.55326");
    table.row("us-central1", "us-central1-c", "87.83247", "25.55326");
    table.row("us-east4", "us-east4-a", "87.83247", "19.08930");
    table.row("us-east4", "us-east4-b", "87.83247", "19.08930");
    table.row("us-east5", "us-east5-a", "98.92567", "20.56240");
    table.type("gcp", "a3-highgpu-1g", H100, 1, 26, 234);
    table.row("us-central1", "us-central1-a", "10.97906", "3.19416");
    table.row("us-central1", "us-central1-b", "10.97906", "3.19416");
    table.row("us-east4", "us-east4-a", "10.97906", "2.38616");
    table.type("nebius", "gpu-h100-sxm_1gpu-16vcpu-200gb", H100, 1, 16, 200);
    table.row("eu-north1", "eu-north1", "2.95", "1.25");
    table.type("nebius", "gpu-h100-sxm_8gpu-128vcpu-1600gb", H100, 8, 128, 1600);
    table.row("eu-north1", "eu-north1", "23.60", "10.00");
    table.type("nebius", "gpu-h200-sxm_8gpu-128vcpu-1600gb", H200, 8, 128, 1600);
    table.row("eu-north1", "eu-north1", "28.00", "11.60");
    table.row("eu-west1", "eu-west1", "28.00", "11.60");
    table.row("us-central1", "us-central1", "28.00", "11.60");
    table.type("crusoe", "h100-80gb-sxm-ib.8x", H100, 8, 176, 960);
    table.row("us-east1-a", "us-east1-a", "31.20", "12.80");
    table.row("eu-iceland1-a", "eu-iceland1-a", "31.20", "12.80");
    table.type("crusoe", "h200-141gb-sxm-ib.8x", H200, 8, 176, 1920);
    table.row("eu-iceland1-a", "eu-iceland1-a", "34.32", "-");
    table.type("coreweave", "gd-8xh100ib-i128", H100, 8, 128, 2048);
    table.row("US-EAST-04", "US-EAST-04A", "49.24", "-");
    table.row("US-WEST-01", "US-WEST-01A", "49.24", "-");
    table.type("coreweave", "gd-8xh200ib-i128", H200, 8, 128, 2048);
    table.row("US-EAST-04", "US-EAST-04A", "50.44", "-");
    // No bare-metal GPU shape of OCI can be had preemptibly.
    table.type("oci", "BM.GPU.H100.8", H100, 8, 224, 2048);
    table.row("eu-frankfurt-1", "EU-FRANKFURT-1-AD-1", "80.00", "-");
    table.row("us-ashburn-1", "US-ASHBURN-1-AD-1", "80.00", "-");
    table.type("oci", "BM.GPU.H200.8", H200, 8, 224, 3072);
    table.row("eu-frankfurt-1", "EU-FRANKFURT-1-AD-1", "80.00", "-");
    return List.copyOf(table.listings);
  }

  /** Rows of node prices, turned into listings of GPU prices. */
  private static final class Table {
    private final List<Listing> listings = new ArrayList<>();
    private String provider = "";
    private String instanceType = "";
    private NodeShape shape = new NodeShape(new GpuModel(H100), 1, 0, 0);

    void type(String ofProvider, String name, String gpu, int gpus, int cpus, int memoryGiB) {
      provider = ofProvider;
      instanceType = name;
      shape = new NodeShape(new GpuModel(gpu), gpus, cpus, memoryGiB);
    }

    void row(String region, String zone, String onDemandNode, String spotNode) {
      listings.add(
          new Listing(
              provider, region, zone, instanceType, shape, perGpu(onDemandNode), perGpu(spotNode)));
    }

    private Optional<UsdPerGpuHour> perGpu(String nodeHour) {
      if (nodeHour.equals("-")) {
        return Optional.empty();
      }
      Usd usd = new Usd(new BigDecimal(nodeHour).movePointRight(6).longValueExact());
      return Optional.of(UsdPerGpuHour.ofNodeHour(usd, shape.gpus()));
    }
  }
}
