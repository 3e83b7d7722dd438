package io.spillway.capacity.aws;

import io.spillway.capacity.http.CallBudget;
import io.spillway.capacity.http.Prices;
import io.spillway.capacity.spi.AccountSettings;
import io.spillway.capacity.spi.CapacityProbe;
import io.spillway.capacity.spi.ProbeException;
import io.spillway.scheduler.market.Observation;
import io.spillway.scheduler.model.FailureClass;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Supplier;
import java.util.regex.Pattern;

/**
 * Observes one AWS account: all its regions at once, each on a virtual thread of its own, and the
 * price list beside them. A region that fails is a warning while another answers. Opens its clients
 * at the first run; {@link #close()} ends what runs.
 */
final class AwsProbe implements CapacityProbe {
  /** The caller cancels after 30 s; what was answered by then should not be lost with the rest. */
  private static final Duration RUN = Duration.ofSeconds(25);

  private static final Duration REGIONS_KNOWN = Duration.ofHours(24);

  /** EC2 takes up to 200 values in one filter. */
  private static final int MAX_TYPES = 190;

  private static final int MAX_WARNINGS = 20;
  private static final String HOME = "us-east-1";

  /** What an EC2 instance type looks like: {@code interest} has other providers' types too. */
  private static final Pattern TYPE =
      Pattern.compile("[a-z][a-z0-9-]{0,20}\\.(?:[a-z]{4,6}|\\d{0,3}xlarge|metal-\\d{1,3}xl)");

  private final AccountSettings account;
  private final AwsZones zones;
  private final Prices paid;

  /** For the one call that asks for regions, before there are any. */
  private final CallBudget home = new CallBudget(1, 1, Duration.ofSeconds(5));

  private final ListPrices prices = new ListPrices();
  private final Map<String, RegionProbe> regions = new ConcurrentHashMap<>();
  private final ExecutorService threads =
      Executors.newThreadPerTaskExecutor(Thread.ofVirtual().name("spillway-aws-", 0).factory());

  private Optional<AwsClients> clients = Optional.empty();
  private List<String> found = List.of();
  private Instant foundAt = Instant.MIN;

  AwsProbe(AccountSettings account, AwsZones zones) {
    this.account = account;
    this.zones = zones;
    this.paid = Prices.of(account);
  }

  /** That of the region which has least left; none before the first round. */
  @Override
  public Optional<Allowance> budget() {
    return regions.values().stream()
        .map(RegionProbe::allowance)
        .min(Comparator.comparingInt(Allowance::left));
  }

  @Override
  public CompletionStage<Result> observe(Set<String> interest, Instant now) {
    CompletableFuture<Result> result = new CompletableFuture<>();
    threads.execute(
        () -> {
          try {
            result.complete(run(interest, now));
          } catch (ProbeException | RuntimeException e) {
            result.completeExceptionally(e);
          }
        });
    return result;
  }

  private Result run(Set<String> interest, Instant now) throws ProbeException {
    Patience patience = Patience.of(RUN);
    AwsClients open = open();
    open.logIn();
    Set<String> named = new TreeSet<>(interest);
    named.removeIf(type -> !TYPE.matcher(type).matches());
    Set<String> wanted = wanted(named);
    CompletableFuture<ListPrices.Snapshot> listed =
        CompletableFuture.supplyAsync(
            () -> prices.asOf(now, wanted, open.prices(), patience), threads);
    Map<String, CompletableFuture<RegionFacts>> asked = new LinkedHashMap<>();
    for (String region : regions(open, now, patience)) {
      asked.put(region, ask(open, region, wanted, named, now, patience));
    }
    return together(asked, known(listed, patience), () -> open.clockAhead(now, patience), now);
  }

  /** The list, or what was known of it before: a slow list keeps no region's answer back. */
  private ListPrices.Snapshot known(
      CompletableFuture<ListPrices.Snapshot> listed, Patience patience) {
    return patience.inTime(listed).orElseGet(prices::known);
  }

  private CompletableFuture<RegionFacts> ask(
      AwsClients open,
      String region,
      Set<String> wanted,
      Set<String> named,
      Instant now,
      Patience patience) {
    RegionProbe probe =
        regions.computeIfAbsent(region, name -> new RegionProbe(account, name, zones));
    return CompletableFuture.supplyAsync(
        () -> {
          try {
            return probe.ask(open.ec2(region), wanted, named, now, patience);
          } catch (ProbeException e) {
            throw new CompletionException(e);
          }
        },
        threads);
  }

  private Result together(
      Map<String, CompletableFuture<RegionFacts>> asked,
      ListPrices.Snapshot listed,
      Supplier<Optional<Duration>> clockAhead,
      Instant now)
      throws ProbeException {
    RegionObservations reading = new RegionObservations(account.name(), paid, listed, now);
    List<Observation> observations = new ArrayList<>();
    List<String> warnings = new ArrayList<>();
    List<ProbeException> failures = new ArrayList<>();
    for (Map.Entry<String, CompletableFuture<RegionFacts>> region : asked.entrySet()) {
      try {
        RegionFacts facts = region.getValue().join();
        observations.addAll(reading.of(facts));
        warnings.addAll(facts.warnings());
      } catch (CompletionException e) {
        if (!(e.getCause() instanceof ProbeException failure)) {
          throw e;
        }
        failures.add(failure);
        warnings.add(region.getKey() + ": " + failure.getMessage());
      }
    }
    if (failures.size() == asked.size()) {
      throw worst(failures);
    }
    listed.warning().ifPresent(warnings::add);
    // Of this round's answers: the one before is older by an interval.
    clockAhead
        .get()
        .ifPresent(
            ahead ->
                warnings.add(
                    "EC2's clock is "
                        + ahead.abs().toSeconds()
                        + " s "
                        + (ahead.isNegative() ? "behind" : "ahead of")
                        + " ours"));
    return new Result(observations, warnings.stream().distinct().limit(MAX_WARNINGS).toList());
  }

  /** The one whose consequence is the most careful. */
  private static ProbeException worst(List<ProbeException> failures) {
    List<FailureClass> order =
        List.of(FailureClass.THROTTLED, FailureClass.TRANSIENT, FailureClass.AUTH);
    return failures.stream()
        .min(
            Comparator.comparingInt(
                failure ->
                    order.contains(failure.failureClass())
                        ? order.indexOf(failure.failureClass())
                        : order.size()))
        .orElseGet(
            () ->
                new ProbeException(
                    FailureClass.AUTH, "the account has no region", Optional.empty(), null));
  }

  /** Configured regions, else those that the account may use, else those with shipped prices. */
  private List<String> regions(AwsClients open, Instant now, Patience patience)
      throws ProbeException {
    if (!account.regions().isEmpty()) {
      return account.regions();
    }
    if (now.isBefore(foundAt.plus(REGIONS_KNOWN))) {
      return found;
    }
    try {
      found = new Ec2Calls(open.ec2(HOME), home, patience).regions();
    } catch (RuntimeException e) {
      AwsFaults.Fault fault = AwsFaults.of("DescribeRegions", e);
      if (!fault.thatCallOnly()) {
        throw fault.failure();
      }
      found = Catalogue.shipped().regions();
    }
    foundAt = now;
    return found;
  }

  private static Set<String> wanted(Set<String> named) {
    Set<String> wanted = new TreeSet<>(Catalogue.shipped().types());
    named.stream().limit(MAX_TYPES - wanted.size()).forEach(wanted::add);
    return wanted;
  }

  private synchronized AwsClients open() throws ProbeException {
    if (threads.isShutdown()) {
      throw new ProbeException(
          FailureClass.TRANSIENT, "the probe is closed", Optional.empty(), null);
    }
    if (clients.isEmpty()) {
      clients = Optional.of(new AwsClients(account));
    }
    return clients.get();
  }

  @Override
  public synchronized void close() {
    threads.shutdownNow();
    clients.ifPresent(AwsClients::close);
    clients = Optional.empty();
  }
}
