package io.spillway.server.codec;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.BeanDescription;
import com.fasterxml.jackson.databind.DeserializationConfig;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.JsonDeserializer;
import com.fasterxml.jackson.databind.JsonSerializer;
import com.fasterxml.jackson.databind.SerializationConfig;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.deser.Deserializers;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.ser.Serializers;
import io.spillway.scheduler.model.AttemptId;
import java.io.IOException;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.RecordComponent;

/**
 * Names, ids and money as plain JSON values: a record with one text or number stands for it. Such a
 * record that is a case of a sealed type stays an object, since it carries its type name.
 */
final class PlainValues extends SimpleModule {
  private static final long serialVersionUID = 1L;

  PlainValues() {
    super("plain-values");
    addSerializer(AttemptId.class, new AttemptIdWriter());
    addDeserializer(AttemptId.class, new AttemptIdReader());
  }

  @Override
  public void setupModule(SetupContext context) {
    super.setupModule(context);
    context.addSerializers(new Writers());
    context.addDeserializers(new Readers());
    context.addKeySerializers(new RecordKeys.Writers());
    context.addKeyDeserializers(new RecordKeys.Readers());
  }

  /** Whether the type is a plain value by the rule above. */
  static boolean isPlain(Class<?> type) {
    if (!type.isRecord() || type.getRecordComponents().length != 1) {
      return false;
    }
    Class<?> component = type.getRecordComponents()[0].getType();
    if (component != String.class && component != long.class) {
      return false;
    }
    for (Class<?> parent : type.getInterfaces()) {
      if (parent.isSealed()) {
        return false;
      }
    }
    return true;
  }

  private static final class Writers extends Serializers.Base {
    @Override
    public JsonSerializer<?> findSerializer(
        SerializationConfig config, JavaType type, BeanDescription bean) {
      return isPlain(type.getRawClass()) ? new Writer(type.getRawClass()) : null;
    }
  }

  private static final class Readers extends Deserializers.Base {
    @Override
    public JsonDeserializer<?> findBeanDeserializer(
        JavaType type, DeserializationConfig config, BeanDescription bean) {
      return isPlain(type.getRawClass()) ? new Reader(type.getRawClass()) : null;
    }

    @Override
    public boolean hasDeserializerFor(DeserializationConfig config, Class<?> valueType) {
      return isPlain(valueType);
    }
  }

  private static final class Writer extends JsonSerializer<Object> {
    private final MethodHandle component;

    Writer(Class<?> type) {
      try {
        component = MethodHandles.lookup().unreflect(type.getRecordComponents()[0].getAccessor());
      } catch (IllegalAccessException e) {
        throw new IllegalStateException(type + " is not public", e);
      }
    }

    @Override
    public void serialize(Object value, JsonGenerator out, SerializerProvider provider)
        throws IOException {
      Object plain;
      try {
        plain = component.invoke(value);
      } catch (Throwable e) {
        throw new IOException("cannot read the component of " + value.getClass(), e);
      }
      if (plain instanceof Long number) {
        out.writeNumber(number);
      } else {
        out.writeString((String) plain);
      }
    }
  }

  private static final class Reader extends JsonDeserializer<Object> {
    private final Class<?> type;
    private final boolean number;
    private final MethodHandle constructor;

    Reader(Class<?> type) {
      this.type = type;
      RecordComponent component = type.getRecordComponents()[0];
      number = component.getType() == long.class;
      try {
        constructor =
            MethodHandles.lookup()
                .unreflectConstructor(type.getDeclaredConstructor(component.getType()));
      } catch (ReflectiveOperationException e) {
        throw new IllegalStateException(type + " is not public", e);
      }
    }

    @Override
    public Object deserialize(JsonParser in, DeserializationContext context) throws IOException {
      if (in.currentToken() != (number ? JsonToken.VALUE_NUMBER_INT : JsonToken.VALUE_STRING)) {
        return context.handleUnexpectedToken(type, in);
      }
      try {
        return number ? constructor.invoke(in.getLongValue()) : constructor.invoke(in.getText());
      } catch (IOException | RuntimeException e) {
        throw e;
      } catch (Throwable e) {
        throw new IOException("cannot make " + type, e);
      }
    }
  }

  private static final class AttemptIdWriter extends JsonSerializer<AttemptId> {
    @Override
    public void serialize(AttemptId value, JsonGenerator out, SerializerProvider provider)
        throws IOException {
      out.writeString(value.toString());
    }
  }

  private static final class AttemptIdReader extends JsonDeserializer<AttemptId> {
    @Override
    public AttemptId deserialize(JsonParser in, DeserializationContext context) throws IOException {
      return AttemptId.parse(in.getText());
    }
  }
}
