package io.spillway.server.codec;

import com.fasterxml.jackson.annotation.JsonAutoDetect.Visibility;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.PropertyAccessor;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.datatype.jdk8.Jdk8Module;
import com.fasterxml.jackson.datatype.jsr310.JavaTimeModule;
import io.spillway.scheduler.event.Event;
import io.spillway.scheduler.input.Input;
import io.spillway.scheduler.input.Received;
import java.io.IOException;
import java.util.List;

/** Writes what is stored and reads it again. Immutable, for any thread. */
public final class StoreCodec {
  /** The format written. */
  public static final int FORMAT = 2;

  private final ObjectMapper exact = mapper(true);
  private final ObjectMapper lenient = mapper(false);
  private final TypeReference<List<Input>> inputs = new TypeReference<>() {};
  private final TypeReference<List<Received>> received = new TypeReference<>() {};
  private final TypeReference<List<Event>> events = new TypeReference<>() {};

  public String inputs(List<Input> value) {
    return write(exact.getTypeFactory().constructType(inputs), value);
  }

  public List<Input> inputs(int format, String text) {
    return List.copyOf(read(format, text, inputs));
  }

  public String received(List<Received> value) {
    return write(exact.getTypeFactory().constructType(received), value);
  }

  public List<Received> received(int format, String text) {
    return List.copyOf(read(format, text, received));
  }

  public String events(List<Event> value) {
    return write(exact.getTypeFactory().constructType(events), value);
  }

  public List<Event> events(int format, String text) {
    return List.copyOf(read(format, text, events));
  }

  /** Writes a record or a sealed value; {@code type} is the declared type it is read by. */
  public <T> String write(Class<? super T> type, T value) {
    return write(exact.constructType(type), value);
  }

  /**
   * Reads what {@link #write} wrote.
   *
   * @throws UnreadableRecord if the format is neither the current nor the one before, or the text
   *     is not of that type
   */
  public <T> T read(int format, String text, Class<T> type) {
    try {
      return reader(format).readValue(text, type);
    } catch (JsonProcessingException e) {
      throw unreadable(type.getSimpleName(), e);
    }
  }

  /** As {@link #write(Class, Object)}, in UTF-8, for what is too large to be a string twice. */
  public <T> byte[] bytes(Class<? super T> type, T value) {
    try {
      return exact.writerFor(type).writeValueAsBytes(value);
    } catch (JsonProcessingException e) {
      throw new UnreadableRecord("cannot write " + type.getSimpleName(), e);
    }
  }

  /** Reads what {@link #bytes} wrote. */
  public <T> T read(int format, byte[] bytes, Class<T> type) {
    try {
      return reader(format).readValue(bytes, type);
    } catch (IOException e) {
      throw new UnreadableRecord("cannot read " + type.getSimpleName() + ": " + e.getMessage(), e);
    }
  }

  private String write(JavaType type, Object value) {
    try {
      return exact.writerFor(type).writeValueAsString(value);
    } catch (JsonProcessingException e) {
      throw new UnreadableRecord("cannot write " + type, e);
    }
  }

  private <T> T read(int format, String text, TypeReference<T> type) {
    try {
      return reader(format).readValue(text, type);
    } catch (JsonProcessingException e) {
      throw unreadable(type.getType().getTypeName(), e);
    }
  }

  private static UnreadableRecord unreadable(String type, JsonProcessingException why) {
    return new UnreadableRecord("cannot read " + type + ": " + why.getOriginalMessage(), why);
  }

  /** A component that was removed since is passed over in the older format, and only there. */
  private ObjectMapper reader(int format) {
    if (format == FORMAT) {
      return exact;
    }
    if (format == FORMAT - 1 && format > 0) {
      return lenient;
    }
    throw new UnreadableRecord(
        "format "
            + format
            + " is not read by this version (it reads "
            + FORMAT
            + " and the one"
            + " before); start the version in between first",
        null);
  }

  private static ObjectMapper mapper(boolean strict) {
    return JsonMapper.builder()
        .addModule(new Jdk8Module())
        .addModule(new JavaTimeModule())
        .addModule(new PlainValues())
        .annotationIntrospector(new SealedTypes())
        .visibility(PropertyAccessor.ALL, Visibility.NONE)
        .visibility(PropertyAccessor.FIELD, Visibility.ANY)
        .visibility(PropertyAccessor.CREATOR, Visibility.ANY)
        .defaultPropertyInclusion(
            JsonInclude.Value.construct(JsonInclude.Include.NON_ABSENT, JsonInclude.Include.ALWAYS))
        .disable(SerializationFeature.WRITE_DATES_AS_TIMESTAMPS)
        .disable(SerializationFeature.WRITE_DURATIONS_AS_TIMESTAMPS)
        .disable(SerializationFeature.FAIL_ON_EMPTY_BEANS)
        .configure(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES, strict)
        .enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
        .build();
  }
}
