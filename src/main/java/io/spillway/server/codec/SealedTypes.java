package io.spillway.server.codec;

import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.cfg.MapperConfig;
import com.fasterxml.jackson.databind.introspect.Annotated;
import com.fasterxml.jackson.databind.introspect.AnnotatedClass;
import com.fasterxml.jackson.databind.introspect.JacksonAnnotationIntrospector;
import com.fasterxml.jackson.databind.jsontype.NamedType;
import com.fasterxml.jackson.databind.jsontype.TypeResolverBuilder;
import com.fasterxml.jackson.databind.jsontype.impl.StdTypeResolverBuilder;
import java.util.ArrayList;
import java.util.List;

/** Gives every sealed interface a type name, so that the domain's records need no annotation. */
final class SealedTypes extends JacksonAnnotationIntrospector {
  private static final long serialVersionUID = 1L;
  private static final String PROPERTY = "@";

  @Override
  public TypeResolverBuilder<?> findTypeResolver(
      MapperConfig<?> config, AnnotatedClass type, JavaType baseType) {
    if (!type.getRawType().isSealed()) {
      return super.findTypeResolver(config, type, baseType);
    }
    return new StdTypeResolverBuilder()
        .init(JsonTypeInfo.Id.NAME, null)
        .inclusion(JsonTypeInfo.As.PROPERTY)
        .typeProperty(PROPERTY);
  }

  @Override
  public List<NamedType> findSubtypes(Annotated type) {
    Class<?> raw = type.getRawType();
    return raw != null && raw.isSealed() ? records(raw) : super.findSubtypes(type);
  }

  static List<NamedType> records(Class<?> family) {
    List<NamedType> found = new ArrayList<>();
    for (Class<?> permitted : family.getPermittedSubclasses()) {
      if (permitted.isSealed()) {
        found.addAll(records(permitted));
      } else {
        found.add(new NamedType(permitted, permitted.getSimpleName()));
      }
    }
    return found;
  }
}
