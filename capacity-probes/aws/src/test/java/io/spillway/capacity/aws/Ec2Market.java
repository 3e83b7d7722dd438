package io.spillway.capacity.aws;

import static io.spillway.capacity.aws.Ec2Answers.block;
import static io.spillway.capacity.aws.Ec2Answers.call;
import static io.spillway.capacity.aws.Ec2Answers.offer;
import static io.spillway.capacity.aws.Ec2Answers.prices;
import static io.spillway.capacity.aws.Ec2Answers.product;
import static io.spillway.capacity.aws.Ec2Answers.products;
import static io.spillway.capacity.aws.Ec2Answers.reservation;
import static io.spillway.capacity.aws.Ec2Answers.set;
import static io.spillway.capacity.aws.Ec2Answers.spot;
import static io.spillway.capacity.aws.Ec2Answers.type;
import static io.spillway.capacity.aws.Ec2Answers.xml;
import static io.spillway.capacity.aws.Ec2Answers.zone;

import com.github.tomakehurst.wiremock.WireMockServer;
import java.util.List;

/** A small market that the stub plays. */
final class Ec2Market {
  static final String P5 = "p5.48xlarge";
  static final String P5E = "p5e.48xlarge";
  static final String HERE = "us-east-2";
  static final String THERE = "us-west-2";

  private Ec2Market() {}

  /** Two regions that sell, with reservations in one. */
  static void happy(WireMockServer stub) {
    empty(stub);
    slowFacts(stub);
    stub.stubFor(
        call("DescribeSpotPriceHistory", HERE)
            .atPriority(3)
            .willReturn(
                xml(
                    "DescribeSpotPriceHistory",
                    set("spotPriceHistorySet", FIRST_SPOT + SECOND_SPOT))));
    stub.stubFor(
        call("DescribeCapacityReservations", HERE)
            .atPriority(3)
            .willReturn(
                xml("DescribeCapacityReservations", set("capacityReservationSet", RESERVED))));
    stub.stubFor(
        call("DescribeCapacityBlockOfferings", HERE)
            .atPriority(3)
            .willReturn(
                xml(
                    "DescribeCapacityBlockOfferings",
                    set(
                        "capacityBlockOfferingSet",
                        block(P5, "us-east-2a", "960.00", 24)
                            + block(P5, "us-east-2a", "1200.00", 24)))));
    stub.stubFor(
        call("DescribeSpotPriceHistory", THERE)
            .atPriority(3)
            .willReturn(
                xml(
                    "DescribeSpotPriceHistory",
                    set(
                        "spotPriceHistorySet",
                        spot(P5, "us-west-2b", "24.000000", "2026-11-30T11:00:00.000Z")))));
  }

  static final String FIRST_SPOT =
      spot(P5, "us-east-2a", "16.000000", "2026-11-20T10:00:00.000Z")
          + spot(P5, "us-east-2a", "14.000000", "2026-11-19T10:00:00.000Z");

  static final String SECOND_SPOT =
      spot(P5E, "us-east-2b", "20.000000", "2026-11-30T13:00:00.000Z");

  private static final String RESERVED =
      reservation("cr-1", P5, "use2-az1", "active", 4, 2, "<endDateType>unlimited</endDateType>")
          + reservation("cr-2", P5, "use2-az1", "active", 4, 0, "")
          + reservation("cr-3", P5, "use2-az1", "expired", 4, 0, "")
          + reservation(
              "cr-4",
              P5,
              "use2-az2",
              "active",
              1,
              1,
              "<reservationType>capacity-block</reservationType><endDate>2026-12-04T11:30:00.000Z</endDate>")
          + reservation(
              "cr-5",
              P5,
              "use2-az2",
              "active",
              1,
              1,
              "<reservationType>capacity-block</reservationType><endDate>2026-11-30T12:30:00.000Z</endDate>")
          + reservation("cr-6", "m7i.large", "use2-az2", "active", 1, 1, "");

  private static void slowFacts(WireMockServer stub) {
    for (String region : List.of(HERE, THERE)) {
      String id = region.equals(HERE) ? "use2" : "usw2";
      stub.stubFor(
          call("DescribeAvailabilityZones", region)
              .atPriority(3)
              .willReturn(
                  xml(
                      "DescribeAvailabilityZones",
                      set(
                          "availabilityZoneInfo",
                          zone(region + "a", id + "-az1") + zone(region + "b", id + "-az2")))));
      stub.stubFor(
          call("DescribeInstanceTypes", region)
              .atPriority(3)
              .willReturn(
                  xml(
                      "DescribeInstanceTypes",
                      set(
                          "instanceTypeSet",
                          type(P5, "H100", 8, 81_920, "on-demand", "spot", "capacity-block")
                              + type(P5E, "H200", 8, 144_384, "spot", "capacity-block")))));
    }
    stub.stubFor(
        call("DescribeInstanceTypeOfferings", HERE)
            .atPriority(3)
            .willReturn(
                xml(
                    "DescribeInstanceTypeOfferings",
                    set(
                        "instanceTypeOfferingSet",
                        offer(P5, "use2-az1") + offer(P5, "use2-az2") + offer(P5E, "use2-az2")))));
    stub.stubFor(
        call("DescribeInstanceTypeOfferings", THERE)
            .atPriority(3)
            .willReturn(
                xml(
                    "DescribeInstanceTypeOfferings",
                    set("instanceTypeOfferingSet", offer(P5, "usw2-az2")))));
    stub.stubFor(
        prices(P5).willReturn(products(product(P5, HERE, "56.00"), product(P5, THERE, "64.00"))));
  }

  /** What is observed in the first region. */
  static final String HERE_MARKET =
      """
      us-east-2/use2-az1/p5.48xlarge/spot 8x nvidia-h100-80gb 2.0000 UNKNOWN LISTED
      us-east-2/use2-az1/p5.48xlarge/on-demand 8x nvidia-h100-80gb 7.0000 UNKNOWN LISTED
      us-east-2/use2-az2/p5.48xlarge/spot 8x nvidia-h100-80gb - UNKNOWN LISTED
      us-east-2/use2-az2/p5.48xlarge/on-demand 8x nvidia-h100-80gb 7.0000 UNKNOWN LISTED
      us-east-2/use2-az2/p5e.48xlarge/spot 8x nvidia-h200-141gb 2.5000 UNKNOWN LISTED
      us-east-2/use2-az1/p5.48xlarge/reserved/cr-1 8x nvidia-h100-80gb 7.0000 AVAILABLE OFFERED
      us-east-2/use2-az1/p5.48xlarge/reserved/cr-2 8x nvidia-h100-80gb 7.0000 UNKNOWN OFFERED
      us-east-2/use2-az1/p5.48xlarge/reserved/cr-3 8x nvidia-h100-80gb 7.0000 UNAVAILABLE OFFERED
      us-east-2/use2-az2/p5.48xlarge/reserved/cr-4 8x nvidia-h100-80gb - AVAILABLE OFFERED
      us-east-2/use2-az2/p5.48xlarge/reserved/cr-5 8x nvidia-h100-80gb - UNAVAILABLE OFFERED
      us-east-2/use2-az1/p5.48xlarge/reserved/capacity-block-for-sale 8x nvidia-h100-80gb 5.0000 UNKNOWN OFFERED
      """;

  /** Every list of EC2 and of the price list is empty. */
  static void empty(WireMockServer stub) {
    for (String operation :
        List.of(
            "DescribeAvailabilityZones",
            "DescribeInstanceTypes",
            "DescribeInstanceTypeOfferings",
            "DescribeSpotPriceHistory",
            "DescribeCapacityReservations",
            "DescribeCapacityBlockOfferings")) {
      stub.stubFor(call(operation).atPriority(9).willReturn(xml(operation, "")));
    }
    stub.stubFor(prices().atPriority(9).willReturn(products()));
  }
}
