package io.spillway.server.codec;

import io.spillway.scheduler.model.ClusterName;
import io.spillway.scheduler.model.GpuModel;
import io.spillway.scheduler.model.JobId;
import io.spillway.scheduler.model.PoolName;
import io.spillway.scheduler.model.QueueName;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.random.RandomGenerator;

/** Makes values of any domain record out of a seed, by the types of its components. */
final class RandomValues {
  private static final String ULID = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
  private static final String ODD = "az-0~/\"\\{}\u00e4\u4e2d\n'; ";
  private final RandomGenerator random;

  RandomValues(RandomGenerator random) {
    this.random = random;
  }

  <T> T of(Class<T> type) {
    return type.cast(make(type));
  }

  private Object make(Type type) {
    if (type instanceof ParameterizedType generic) {
      return makeGeneric((Class<?>) generic.getRawType(), generic.getActualTypeArguments());
    }
    Class<?> raw = (Class<?>) type;
    if (raw.isSealed()) {
      Class<?>[] cases = raw.getPermittedSubclasses();
      return make(cases[random.nextInt(cases.length)]);
    }
    if (raw.isEnum()) {
      Object[] constants = raw.getEnumConstants();
      return constants[random.nextInt(constants.length)];
    }
    return named(raw).orElseGet(() -> raw.isRecord() ? makeRecord(raw) : makeLeaf(raw));
  }

  private Optional<Object> named(Class<?> raw) {
    if (raw == JobId.class) {
      return Optional.of(new JobId(text(26, ULID)));
    }
    if (raw == GpuModel.class) {
      return Optional.of(GpuModel.all().get(random.nextInt(GpuModel.all().size())));
    }
    String label = text(1 + random.nextInt(20), "abcdefghijklmnopqrstuvwxyz0123456789");
    if (raw == QueueName.class) {
      return Optional.of(new QueueName(label));
    }
    if (raw == ClusterName.class) {
      return Optional.of(new ClusterName(label));
    }
    return raw == PoolName.class ? Optional.of(new PoolName(label)) : Optional.empty();
  }

  private Object makeRecord(Class<?> raw) {
    RecordComponent[] components = raw.getRecordComponents();
    Class<?>[] types =
        Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new);
    Object[] values =
        Arrays.stream(components).map(c -> make(c.getGenericType())).toArray(Object[]::new);
    try {
      Constructor<?> constructor = raw.getDeclaredConstructor(types);
      constructor.setAccessible(true);
      return constructor.newInstance(values);
    } catch (InvocationTargetException e) {
      throw new IllegalStateException("no random " + raw.getSimpleName(), e.getCause());
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("no random " + raw.getSimpleName(), e);
    }
  }

  private Object makeLeaf(Class<?> raw) {
    if (raw == String.class) {
      return text(random.nextInt(12), ODD);
    } else if (raw == int.class || raw == Integer.class) {
      return 1 + random.nextInt(100_000);
    } else if (raw == long.class || raw == Long.class) {
      return random.nextLong(Long.MAX_VALUE);
    } else if (raw == boolean.class || raw == Boolean.class) {
      return random.nextBoolean();
    } else if (raw == double.class || raw == Double.class) {
      return random.nextDouble(-1e12, 1e12);
    } else if (raw == Instant.class) {
      return Instant.ofEpochSecond(random.nextLong(4_000_000_000L), nanos());
    } else if (raw == Duration.class) {
      return Duration.ofSeconds(random.nextLong(-1_000, 10_000_000L), nanos());
    } else if (raw == OptionalInt.class) {
      return random.nextBoolean() ? OptionalInt.of(random.nextInt()) : OptionalInt.empty();
    } else if (raw == OptionalLong.class) {
      return random.nextBoolean() ? OptionalLong.of(random.nextLong()) : OptionalLong.empty();
    }
    throw new IllegalStateException("no random " + raw);
  }

  private Object makeGeneric(Class<?> raw, Type[] of) {
    if (raw == Optional.class) {
      return random.nextBoolean() ? Optional.of(make(of[0])) : Optional.empty();
    }
    int size = 1 + random.nextInt(3);
    if (raw == Map.class || raw == SortedMap.class) {
      Map<Object, Object> map = new TreeMap<>();
      for (int i = 0; i < size; i++) {
        map.put(make(of[0]), make(of[1]));
      }
      return map;
    }
    List<Object> list = new ArrayList<>();
    for (int i = 0; i < size; i++) {
      list.add(make(of[0]));
    }
    if (raw == List.class) {
      return list;
    } else if (raw == SortedSet.class || raw == Set.class) {
      return new TreeSet<>(list);
    }
    throw new IllegalStateException("no random " + raw);
  }

  private int nanos() {
    return switch (random.nextInt(3)) {
      case 0 -> 0;
      case 1 -> random.nextInt(1_000) * 1_000_000;
      default -> random.nextInt(1_000_000_000);
    };
  }

  private String text(int length, String alphabet) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < length; i++) {
      text.append(alphabet.charAt(random.nextInt(alphabet.length())));
    }
    return text.toString();
  }
}
