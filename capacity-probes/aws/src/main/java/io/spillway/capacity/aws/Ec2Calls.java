package io.spillway.capacity.aws;

import io.spillway.capacity.aws.RegionFacts.BlockForSale;
import io.spillway.capacity.aws.RegionFacts.Offer;
import io.spillway.capacity.aws.RegionFacts.Reservation;
import io.spillway.capacity.aws.RegionFacts.SpotPrice;
import io.spillway.capacity.aws.RegionFacts.TypeFacts;
import io.spillway.capacity.http.CallBudget;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.services.ec2.Ec2AsyncClient;
import software.amazon.awssdk.services.ec2.model.AvailabilityZone;
import software.amazon.awssdk.services.ec2.model.CapacityBlockOffering;
import software.amazon.awssdk.services.ec2.model.CapacityReservation;
import software.amazon.awssdk.services.ec2.model.DescribeCapacityReservationsResponse;
import software.amazon.awssdk.services.ec2.model.DescribeInstanceTypeOfferingsResponse;
import software.amazon.awssdk.services.ec2.model.DescribeInstanceTypesResponse;
import software.amazon.awssdk.services.ec2.model.DescribeSpotPriceHistoryResponse;
import software.amazon.awssdk.services.ec2.model.Filter;
import software.amazon.awssdk.services.ec2.model.InstanceTypeOffering;
import software.amazon.awssdk.services.ec2.model.LocationType;

/**
 * The questions put to EC2 in one region, page by page. Every one describes; none launches. They
 * block on their answers and fail as the SDK does. Items that cannot be read are left out: absent
 * says nothing.
 */
final class Ec2Calls {
  /** More than EC2 ever needs for a region; an endless chain of pages ends here. */
  private static final int MAX_PAGES = 40;

  private static final int PAGE = 1_000;
  private static final int TYPES_PAGE = 100;

  /** What EC2 calls a machine that runs Linux, with and without the words "(Amazon VPC)". */
  private static final String LINUX = "Linux/UNIX";

  private final Ec2AsyncClient client;
  private final CallBudget budget;
  private final Patience patience;

  /**
   * @param budget calls that may be made in that region
   */
  Ec2Calls(Ec2AsyncClient client, CallBudget budget, Patience patience) {
    this.client = client;
    this.budget = budget;
    this.patience = patience;
  }

  /** Regions that the account may use. */
  List<String> regions() {
    return answer(() -> client.describeRegions(request -> request.allRegions(false)))
        .regions()
        .stream()
        .map(software.amazon.awssdk.services.ec2.model.Region::regionName)
        .sorted()
        .toList();
  }

  /** Zone ids by the account's own zone names. */
  Map<String, String> zones() {
    Map<String, String> ids = new HashMap<>();
    for (AvailabilityZone zone :
        answer(
                () ->
                    client.describeAvailabilityZones(
                        request -> request.allAvailabilityZones(false)))
            .availabilityZones()) {
      if (zone.zoneName() != null && zone.zoneId() != null) {
        ids.put(zone.zoneName(), zone.zoneId());
      }
    }
    return ids;
  }

  /**
   * Shapes of those types that the region knows and that have GPUs with a model here. Filters,
   * since a named type that a region does not know fails the whole call.
   */
  Map<String, TypeFacts> types(Set<String> wanted) {
    Map<String, TypeFacts> known = new HashMap<>();
    for (DescribeInstanceTypesResponse page :
        pages(
            token ->
                client.describeInstanceTypes(
                    request ->
                        request
                            .filters(types("instance-type", wanted))
                            .maxResults(TYPES_PAGE)
                            .nextToken(token)),
            DescribeInstanceTypesResponse::nextToken)) {
      page.instanceTypes()
          .forEach(
              type ->
                  AwsGpus.shape(type)
                      .ifPresent(
                          shape ->
                              known.put(
                                  type.instanceTypeAsString(),
                                  new TypeFacts(
                                      shape, Set.copyOf(type.supportedUsageClassesAsStrings())))));
    }
    return known;
  }

  Set<Offer> offers(Set<String> types) {
    Set<Offer> offers = new TreeSet<>();
    for (DescribeInstanceTypeOfferingsResponse page :
        pages(
            token ->
                client.describeInstanceTypeOfferings(
                    request ->
                        request
                            .locationType(LocationType.AVAILABILITY_ZONE_ID)
                            .filters(types("instance-type", types))
                            .maxResults(PAGE)
                            .nextToken(token)),
            DescribeInstanceTypeOfferingsResponse::nextToken)) {
      for (InstanceTypeOffering offering : page.instanceTypeOfferings()) {
        if (offering.instanceTypeAsString() != null && offering.location() != null) {
          offers.add(new Offer(offering.instanceTypeAsString(), offering.location()));
        }
      }
    }
    return offers;
  }

  /**
   * The spot price in force now in each zone: the history from now on begins with it.
   *
   * @param zoneId the id behind a zone's name
   */
  List<SpotPrice> spotPrices(Set<String> types, Instant now, UnaryOperator<String> zoneId) {
    Map<Offer, SpotPrice> newest = new HashMap<>();
    for (DescribeSpotPriceHistoryResponse page :
        pages(
            token ->
                client.describeSpotPriceHistory(
                    request ->
                        request
                            .instanceTypesWithStrings(types)
                            .productDescriptions(LINUX)
                            .startTime(now)
                            .maxResults(PAGE)
                            .nextToken(token)),
            DescribeSpotPriceHistoryResponse::nextToken)) {
      page.spotPriceHistory()
          .forEach(
              told ->
                  spotPrice(told, zoneId)
                      .ifPresent(
                          price ->
                              newest.merge(
                                  new Offer(price.instanceType(), price.zoneId()),
                                  price,
                                  (one, other) ->
                                      one.changedAt().isAfter(other.changedAt()) ? one : other)));
    }
    return List.copyOf(newest.values());
  }

  private static Optional<SpotPrice> spotPrice(
      software.amazon.awssdk.services.ec2.model.SpotPrice told, UnaryOperator<String> zoneId) {
    String zone =
        told.availabilityZoneId() != null
            ? told.availabilityZoneId()
            : told.availabilityZone() == null ? null : zoneId.apply(told.availabilityZone());
    if (zone == null
        || told.instanceTypeAsString() == null
        || !String.valueOf(told.productDescriptionAsString()).startsWith(LINUX)) {
      return Optional.empty();
    }
    return Amount.positive(told.spotPrice())
        .map(
            price ->
                new SpotPrice(
                    told.instanceTypeAsString(),
                    zone,
                    price,
                    told.timestamp() == null ? Instant.EPOCH : told.timestamp()));
  }

  /** The account's own reservations of those types, in whatever state. */
  List<Reservation> reservations(Set<String> types, UnaryOperator<String> zoneId) {
    List<Reservation> held = new ArrayList<>();
    for (DescribeCapacityReservationsResponse page :
        pages(
            token ->
                client.describeCapacityReservations(
                    request ->
                        request
                            .filters(types("instance-type", types))
                            .maxResults(PAGE)
                            .nextToken(token)),
            DescribeCapacityReservationsResponse::nextToken)) {
      page.capacityReservations().forEach(told -> reservation(told, zoneId).ifPresent(held::add));
    }
    return held;
  }

  private static Optional<Reservation> reservation(
      CapacityReservation told, UnaryOperator<String> zoneId) {
    String zone =
        told.availabilityZoneId() != null
            ? told.availabilityZoneId()
            : told.availabilityZone() == null ? null : zoneId.apply(told.availabilityZone());
    if (zone == null
        || told.capacityReservationId() == null
        || told.instanceType() == null
        || told.stateAsString() == null) {
      return Optional.empty();
    }
    return Optional.of(
        new Reservation(
            told.capacityReservationId(),
            told.instanceType(),
            zone,
            told.stateAsString(),
            told.totalInstanceCount() == null ? 0 : told.totalInstanceCount(),
            told.availableInstanceCount() == null ? 0 : told.availableInstanceCount(),
            Optional.ofNullable(told.endDate()),
            "capacity-block".equals(told.reservationTypeAsString())));
  }

  /**
   * The cheapest Capacity Block of one instance for a day that could be bought now, in each zone.
   */
  Collection<BlockForSale> blocks(String type, Instant now, UnaryOperator<String> zoneId) {
    Map<String, BlockForSale> cheapest = new HashMap<>();
    answer(
            () ->
                client.describeCapacityBlockOfferings(
                    request ->
                        request.instanceType(type).instanceCount(1).capacityDurationHours(24)))
        .capacityBlockOfferings()
        .forEach(
            told ->
                block(told, now, zoneId)
                    .ifPresent(
                        block ->
                            cheapest.merge(
                                block.zoneId(),
                                block,
                                (one, other) ->
                                    one.usdPerNodeHour().compareTo(other.usdPerNodeHour()) <= 0
                                        ? one
                                        : other)));
    return cheapest.values();
  }

  private static Optional<BlockForSale> block(
      CapacityBlockOffering told, Instant now, UnaryOperator<String> zoneId) {
    boolean whole =
        told.instanceType() != null
            && told.availabilityZone() != null
            && told.startDate() != null
            && told.endDate() != null
            && told.instanceCount() != null
            && told.instanceCount() > 0
            && told.capacityBlockDurationHours() != null
            && told.capacityBlockDurationHours() > 0
            && "USD".equals(told.currencyCode());
    if (!whole) {
      return Optional.empty();
    }
    long hours = (long) told.instanceCount() * told.capacityBlockDurationHours();
    return Amount.positive(told.upfrontFee())
        .map(
            fee ->
                new BlockForSale(
                    told.instanceType(),
                    zoneId.apply(told.availabilityZone()),
                    Amount.perHour(fee, hours),
                    told.startDate(),
                    told.endDate(),
                    now));
  }

  private <R> List<R> pages(
      Function<String, CompletableFuture<R>> ask, Function<R, String> nextToken) {
    List<R> pages = new ArrayList<>();
    String token = null;
    do {
      if (pages.size() == MAX_PAGES) {
        throw SdkClientException.create("more than " + MAX_PAGES + " pages");
      }
      String from = token;
      R page = answer(() -> ask.apply(from));
      pages.add(page);
      String next = nextToken.apply(page);
      if (next != null && next.equals(token)) {
        throw SdkClientException.create("a page names itself as the next one");
      }
      token = next;
    } while (token != null && !token.isEmpty());
    return pages;
  }

  private <R> R answer(Supplier<CompletableFuture<R>> ask) {
    patience.pause(
        budget
            .take()
            .orElseThrow(() -> SdkClientException.create("the calls of this region are used up")));
    return patience.answer(ask.get());
  }

  private static Filter types(String name, Set<String> types) {
    return Filter.builder().name(name).values(types).build();
  }
}
