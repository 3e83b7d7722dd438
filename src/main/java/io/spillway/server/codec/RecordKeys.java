package io.spillway.server.codec;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.BeanDescription;
import com.fasterxml.jackson.databind.DeserializationConfig;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.JsonSerializer;
import com.fasterxml.jackson.databind.KeyDeserializer;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationConfig;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.deser.KeyDeserializers;
import com.fasterxml.jackson.databind.node.TextNode;
import com.fasterxml.jackson.databind.ser.Serializers;
import java.io.IOException;

/**
 * Records as map keys: the text of a plain value, else the record's own JSON. (The domain's texts,
 * such as an offering's, are for people and not every value can be read back from them.)
 */
final class RecordKeys {
  private RecordKeys() {}

  static final class Writers extends Serializers.Base {
    @Override
    public JsonSerializer<?> findSerializer(
        SerializationConfig config, JavaType type, BeanDescription bean) {
      return type.getRawClass().isRecord() ? new Writer() : null;
    }
  }

  static final class Readers implements KeyDeserializers {
    @Override
    public KeyDeserializer findKeyDeserializer(
        JavaType type, DeserializationConfig config, BeanDescription bean) {
      return type.getRawClass().isRecord() ? new Reader(type) : null;
    }
  }

  private static final class Writer extends JsonSerializer<Object> {
    @Override
    public void serialize(Object key, JsonGenerator out, SerializerProvider provider)
        throws IOException {
      ObjectMapper mapper = (ObjectMapper) out.getCodec();
      String json = mapper.writeValueAsString(key);
      out.writeFieldName(json.startsWith("\"") ? mapper.readValue(json, String.class) : json);
    }
  }

  private static final class Reader extends KeyDeserializer {
    private final JavaType type;

    Reader(JavaType type) {
      this.type = type;
    }

    @Override
    public Object deserializeKey(String key, DeserializationContext context) throws IOException {
      ObjectMapper mapper = (ObjectMapper) context.getParser().getCodec();
      boolean text =
          PlainValues.isPlain(type.getRawClass())
              || type.getRawClass() == io.spillway.scheduler.model.AttemptId.class;
      if (!text) {
        return mapper.readValue(key, type);
      }
      try (JsonParser in = mapper.treeAsTokens(TextNode.valueOf(key))) {
        in.nextToken();
        return context.readValue(in, type);
      }
    }
  }
}
