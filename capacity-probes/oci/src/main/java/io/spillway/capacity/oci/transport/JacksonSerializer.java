package io.spillway.capacity.oci.transport;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.ser.impl.SimpleFilterProvider;
import com.oracle.bmc.http.client.Serializer;
import java.io.IOException;

/** JSON of the SDK's models. */
final class JacksonSerializer implements Serializer {
  private final ObjectMapper json =
      JsonMapper.builder()
          .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .defaultPropertyInclusion(
              JsonInclude.Value.construct(JsonInclude.Include.NON_NULL, JsonInclude.Include.ALWAYS))
          // Models name a filter of the SDK's own transports; without it, what is set is written.
          .filterProvider(new SimpleFilterProvider().setFailOnUnknownId(false))
          .build();

  @Override
  public <T> T readValue(String text, Class<T> type) throws IOException {
    return json.readValue(text, type);
  }

  @Override
  public <T> T readValue(byte[] bytes, Class<T> type) throws IOException {
    return json.readValue(bytes, type);
  }

  @Override
  public String writeValueAsString(Object value) throws IOException {
    return json.writeValueAsString(value);
  }
}
