package dev.abacus.schemas.avro;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.apache.avro.Conversion;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.apache.avro.io.DatumReader;
import org.apache.avro.specific.AvroGenerated;
import org.apache.avro.specific.SpecificData;
import org.apache.avro.specific.SpecificDatumReader;
import org.apache.avro.util.Utf8;
import org.apache.kafka.common.errors.SerializationException;
import org.jspecify.annotations.Nullable;

/**
 * Avro's data model for classes that its compiler generated.
 *
 * <p>A schema comes with the data, so the class name in it is untrusted input. Avro 1.12.2
 * therefore refuses to load any class that was not listed in a system property or in a JVM-wide
 * setting, one's own generated classes, enums and nested types included. This model instead loads
 * exactly the classes that carry {@link AvroGenerated}, without initialising others: nothing to
 * configure, and no class that was not made for this can be instantiated.
 */
final class SpecificModel extends SpecificData {

  private final ConcurrentMap<String, Optional<Class<?>>> generated = new ConcurrentHashMap<>();

  private SpecificModel(ClassLoader loader, Collection<Conversion<?>> conversions) {
    super(loader);
    conversions.forEach(this::addLogicalTypeConversion);
    setFastReaderEnabled(false);
  }

  /**
   * A reader into the class generated from the writer's record schema, which may be another version
   * of it.
   *
   * @throws SerializationException if there is no such class
   */
  static <T> DatumReader<T> reader(Schema writer) {
    ClassLoader context = Thread.currentThread().getContextClassLoader();
    ClassLoader loader = context == null ? SpecificModel.class.getClassLoader() : context;
    Class<?> type =
        load(loader, writer)
            .orElseThrow(() ->
                new SerializationException(
                    "There is no class that Avro generated from the schema %s, which %s needs"
                        .formatted(writer.getFullName(), AvroSerdeConfig.SPECIFIC_AVRO_READER)));
    SpecificData generatedModel = SpecificData.getForClass(type);
    SpecificModel model = new SpecificModel(loader, generatedModel.getConversions());
    return new Reader<>(writer, generatedModel.getSchema(type), model);
  }

  @Override
  public @Nullable Class<?> getClass(Schema schema) {
    return switch (schema.getType()) {
      case RECORD, ENUM, FIXED ->
          generated
              .computeIfAbsent(schema.getFullName(), ignored -> load(getClassLoader(), schema))
              .orElse(null);
      case ARRAY, MAP, UNION, STRING, BYTES, INT, LONG, FLOAT, DOUBLE, BOOLEAN, NULL ->
          super.getClass(schema);
    };
  }

  @Override
  public Object newMap(@Nullable Object old, int size) {
    return new LinkedHashMap<>(Math.max(16, size * 2));
  }

  private static Optional<Class<?>> load(ClassLoader loader, Schema schema) {
    String name = SpecificData.getClassName(schema);
    while (true) {
      try {
        Class<?> type = Class.forName(name, false, loader);
        return type.isAnnotationPresent(AvroGenerated.class) ? Optional.of(type) : Optional.empty();
      } catch (ClassNotFoundException e) {
        // Types of a protocol are nested in its class: a.b.C may be a.b$C.
        int dot = name.lastIndexOf('.');
        if (dot < 0) {
          return Optional.empty();
        }
        name = name.substring(0, dot) + '$' + name.substring(dot + 1);
      }
    }
  }

  private static final class Reader<T> extends SpecificDatumReader<T> {

    Reader(Schema writer, Schema reader, SpecificData data) {
      super(writer, reader, data);
    }

    @Override
    protected Class<?> findStringClass(Schema schema) {
      if (schema.getProp(SpecificData.CLASS_PROP) != null
          || schema.getProp(SpecificData.KEY_CLASS_PROP) != null) {
        return super.findStringClass(schema);
      }
      String chosen = schema.getProp(GenericData.STRING_PROP);
      return Utf8.class.getSimpleName().equals(chosen) ? CharSequence.class : String.class;
    }
  }
}
