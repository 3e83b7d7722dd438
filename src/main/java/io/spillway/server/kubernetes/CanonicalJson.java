package io.spillway.server.kubernetes;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.introspect.Annotated;
import com.fasterxml.jackson.databind.introspect.AnnotatedClass;
import com.fasterxml.jackson.databind.introspect.JacksonAnnotationIntrospector;
import com.fasterxml.jackson.databind.json.JsonMapper;

/** Objects as JSON whose keys are sorted at every depth: equal objects are equal byte for byte. */
final class CanonicalJson {
  private static final ObjectMapper JSON =
      JsonMapper.builder()
          .enable(MapperFeature.SORT_PROPERTIES_ALPHABETICALLY)
          .enable(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS)
          .annotationIntrospector(new Alphabetical())
          .build();

  private CanonicalJson() {}

  static String of(Object object) {
    try {
      return JSON.writeValueAsString(object);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("an object of the translation is always JSON", e);
    }
  }

  /** The models name an order of their own, which is not the same for all. */
  private static final class Alphabetical extends JacksonAnnotationIntrospector {
    private static final long serialVersionUID = 1L;

    @Override
    public String[] findSerializationPropertyOrder(AnnotatedClass type) {
      return new String[0];
    }

    @Override
    public Boolean findSerializationSortAlphabetically(Annotated type) {
      return Boolean.TRUE;
    }
  }
}
