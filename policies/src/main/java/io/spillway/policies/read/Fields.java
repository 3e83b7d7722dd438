package io.spillway.policies.read;

import io.spillway.policies.source.Tree;
import io.spillway.scheduler.model.Usd;
import io.spillway.scheduler.model.UsdPerGpuHour;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;

/**
 * The members of a mapping whose shape the schema has checked, with those of another (the defaults)
 * beneath. A value of the wrong type is a bug of the schema and throws.
 */
public record Fields(Tree.Mapping own, Optional<Tree.Mapping> beneath) {

  public static Fields of(Tree.Mapping mapping) {
    return new Fields(mapping, Optional.empty());
  }

  /** These members, and the other's where these have none, at every depth. */
  public Fields over(Optional<Tree.Mapping> other) {
    return new Fields(own, other);
  }

  public boolean has(String key) {
    return find(key).isPresent();
  }

  /** The node of that member, own before beneath. */
  public Optional<Tree> find(String key) {
    return own.get(key).or(() -> beneath.flatMap(mapping -> mapping.get(key)));
  }

  public Optional<String> text(String key) {
    return find(key).map(node -> ((Tree.Scalar) node).text());
  }

  public String text(String key, String otherwise) {
    return text(key).orElse(otherwise);
  }

  /** The text of a member that the schema requires. */
  public String required(String key) {
    return text(key).orElseThrow(() -> new IllegalStateException(own.path() + " without " + key));
  }

  public OptionalInt integer(String key) {
    return text(key).map(text -> OptionalInt.of(integerOf(text))).orElse(OptionalInt.empty());
  }

  public int integer(String key, int otherwise) {
    return integer(key).orElse(otherwise);
  }

  public Optional<Duration> duration(String key) {
    return text(key).map(DurationText::parse);
  }

  public Duration duration(String key, Duration otherwise) {
    return duration(key).orElse(otherwise);
  }

  public Optional<UsdPerGpuHour> price(String key) {
    return text(key).map(Fields::priceOf);
  }

  public Optional<Usd> usd(String key) {
    return price(key).map(price -> new Usd(price.micros()));
  }

  public List<String> texts(String key) {
    return find(key)
        .map(
            node ->
                ((Tree.Sequence) node)
                    .items().stream().map(item -> ((Tree.Scalar) item).text()).toList())
        .orElse(List.of());
  }

  /** The mapping of that member, empty when there is none. */
  public Fields fields(String key) {
    Optional<Tree.Mapping> mine = own.get(key).map(Tree.Mapping.class::cast);
    Optional<Tree.Mapping> theirs =
        beneath.flatMap(mapping -> mapping.get(key)).map(Tree.Mapping.class::cast);
    return new Fields(
        mine.orElseGet(() -> new Tree.Mapping(own.place(), own.path(), Map.of())), theirs);
  }

  public List<Fields> list(String key) {
    return find(key)
        .map(
            node ->
                ((Tree.Sequence) node)
                    .items().stream().map(item -> Fields.of((Tree.Mapping) item)).toList())
        .orElse(List.of());
  }

  /** The members of a mapping of mappings, by key. */
  public Map<String, Fields> entries(String key) {
    Map<String, Fields> entries = new TreeMap<>();
    find(key)
        .ifPresent(
            node ->
                ((Tree.Mapping) node)
                    .members()
                    .forEach(
                        (name, member) ->
                            entries.put(name, Fields.of((Tree.Mapping) member.value()))));
    return entries;
  }

  /** YAML writes {@code +5} and {@code 007} too. */
  private static int integerOf(String text) {
    return new BigDecimal(text).intValueExact();
  }

  private static UsdPerGpuHour priceOf(String text) {
    BigDecimal amount = new BigDecimal(text).stripTrailingZeros();
    return UsdPerGpuHour.parse(amount.setScale(Math.max(0, amount.scale())).toPlainString());
  }
}
