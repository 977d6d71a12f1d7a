package dev.abacus.schemas.avro;

import java.util.LinkedHashMap;
import java.util.List;
import org.apache.avro.Conversion;
import org.apache.avro.Conversions;
import org.apache.avro.Schema;
import org.apache.avro.data.TimeConversions;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericDatumReader;
import org.apache.avro.io.DatumReader;
import org.jspecify.annotations.Nullable;

/**
 * Configures Avro's generic data: strings are {@link String}, maps keep the order of the wire, and
 * logical types are Java types, except in {@link #RAW}, for translations from schema to schema.
 */
final class GenericModel extends GenericData {

  /** Logical types as {@code BigDecimal}, {@code java.time} and {@code UUID}. */
  static final GenericModel LOGICAL =
      new GenericModel(
          List.of(
              new Conversions.DecimalConversion(),
              new Conversions.BigDecimalConversion(),
              new Conversions.UUIDConversion(),
              new TimeConversions.DateConversion(),
              new TimeConversions.TimeMillisConversion(),
              new TimeConversions.TimeMicrosConversion(),
              new TimeConversions.TimestampMillisConversion(),
              new TimeConversions.TimestampMicrosConversion(),
              new TimeConversions.TimestampNanosConversion(),
              new TimeConversions.LocalTimestampMillisConversion(),
              new TimeConversions.LocalTimestampMicrosConversion(),
              new TimeConversions.LocalTimestampNanosConversion()));

  /** Logical types as the numbers and bytes below them. */
  static final GenericModel RAW = new GenericModel(List.of());

  private GenericModel(List<Conversion<?>> conversions) {
    conversions.forEach(this::addLogicalTypeConversion);
    // Avro's faster reader builds its own strings and maps and would bypass what this class is for.
    setFastReaderEnabled(false);
  }

  @Override
  public Object newMap(@Nullable Object old, int size) {
    return new LinkedHashMap<>(Math.max(16, size * 2));
  }

  @Override
  public DatumReader<?> createDatumReader(Schema schema) {
    return reader(schema, schema);
  }

  @Override
  public DatumReader<?> createDatumReader(Schema writer, Schema reader) {
    return reader(writer, reader);
  }

  <T> DatumReader<T> reader(Schema writer, Schema reader) {
    return new Reader<>(writer, reader, this);
  }

  private static final class Reader<T> extends GenericDatumReader<T> {

    Reader(Schema writer, Schema reader, GenericData data) {
      super(writer, reader, data);
    }

    @Override
    protected Class<?> findStringClass(Schema schema) {
      return String.class;
    }
  }
}
