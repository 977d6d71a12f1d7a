package dev.abacus.schemas.avro;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.random.RandomGenerator;
import org.apache.avro.LogicalType;
import org.apache.avro.LogicalTypes;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.jspecify.annotations.Nullable;

/**
 * Random schemas, and random values of them. Branches of a union differ in JSON, so that both
 * directions are exact.
 */
final class RandomAvro {

  private static final String[] WORDS = {
    "", "a", "Grüße", "\"quoted\"", "日本", "line\nbreak", "NaN"
  };

  private final RandomGenerator random;
  private int names;

  RandomAvro(RandomGenerator random) {
    this.random = random;
  }

  Schema record(int depth) {
    List<Schema.Field> fields = new ArrayList<>();
    int count = random.nextInt(5);
    for (int i = 0; i < count; i++) {
      String name = name("field");
      fields.add(
          random.nextInt(4) == 0
              ? new Schema.Field(
                  name,
                  Schema.createUnion(Schema.create(Schema.Type.NULL), type(depth - 1)),
                  null,
                  Schema.Field.NULL_DEFAULT_VALUE)
              : new Schema.Field(
                  name, random.nextInt(4) == 0 ? union(depth - 1) : type(depth - 1)));
    }
    // Required and unlike any other record's: tells records of a union apart.
    fields.add(new Schema.Field(name("tag"), Schema.create(Schema.Type.BOOLEAN)));
    return Schema.createRecord(name("Record"), null, "random", false, fields);
  }

  private Schema type(int depth) {
    return switch (random.nextInt(depth > 0 ? 5 : 2)) {
      case 0 -> primitive();
      case 1 -> logical();
      case 2 -> record(depth);
      case 3 -> Schema.createArray(random.nextBoolean() ? union(depth - 1) : type(depth - 1));
      default -> Schema.createMap(random.nextBoolean() ? union(depth - 1) : type(depth - 1));
    };
  }

  private Schema union(int depth) {
    List<Schema> branches = new ArrayList<>();
    branches.add(Schema.create(Schema.Type.NULL));
    branches.add(Schema.create(random.nextBoolean() ? Schema.Type.STRING : Schema.Type.BYTES));
    branches.add(Schema.create(random.nextBoolean() ? Schema.Type.LONG : Schema.Type.INT));
    if (random.nextBoolean()) {
      branches.add(Schema.create(Schema.Type.BOOLEAN));
    }
    if (depth > 0) {
      branches.add(record(depth));
      branches.add(record(depth));
      branches.add(Schema.createArray(type(depth - 1)));
    }
    return Schema.createUnion(branches);
  }

  private Schema primitive() {
    return switch (random.nextInt(10)) {
      case 0 -> Schema.create(Schema.Type.INT);
      case 1 -> Schema.create(Schema.Type.LONG);
      case 2 -> Schema.create(Schema.Type.FLOAT);
      case 3 -> Schema.create(Schema.Type.DOUBLE);
      case 4 -> Schema.create(Schema.Type.BOOLEAN);
      case 5 -> Schema.create(Schema.Type.BYTES);
      case 6 -> Schema.createEnum(name("Enum"), null, "random", List.of("A", "B", "C"));
      case 7 -> Schema.createFixed(name("Fixed"), null, "random", random.nextInt(1, 9));
      default -> Schema.create(Schema.Type.STRING);
    };
  }

  private Schema logical() {
    Schema bytes = Schema.create(Schema.Type.BYTES);
    Schema text = Schema.create(Schema.Type.STRING);
    Schema whole = Schema.create(Schema.Type.INT);
    Schema big = Schema.create(Schema.Type.LONG);
    return switch (random.nextInt(11)) {
      case 0 -> LogicalTypes.decimal(20, random.nextInt(10)).addToSchema(bytes);
      case 1 ->
          LogicalTypes.decimal(18, 3)
              .addToSchema(Schema.createFixed(name("Decimal"), null, "random", 9));
      case 2 -> LogicalTypes.uuid().addToSchema(text);
      case 3 -> LogicalTypes.date().addToSchema(whole);
      case 4 -> LogicalTypes.timeMillis().addToSchema(whole);
      case 5 -> LogicalTypes.timeMicros().addToSchema(big);
      case 6 -> LogicalTypes.timestampMillis().addToSchema(big);
      case 7 -> LogicalTypes.timestampMicros().addToSchema(big);
      case 8 -> LogicalTypes.timestampNanos().addToSchema(big);
      case 9 -> LogicalTypes.localTimestampMicros().addToSchema(big);
      default -> LogicalTypes.localTimestampMillis().addToSchema(big);
    };
  }

  private String name(String prefix) {
    return prefix + names++;
  }

  @Nullable Object value(Schema schema) {
    if (schema.getLogicalType() != null) {
      return logicalValue(schema.getLogicalType());
    }
    return switch (schema.getType()) {
      case RECORD -> {
        GenericData.Record record = new GenericData.Record(schema);
        schema.getFields().forEach(it -> record.put(it.pos(), value(it.schema())));
        yield record;
      }
      case UNION -> value(schema.getTypes().get(random.nextInt(schema.getTypes().size())));
      case ARRAY -> {
        List<@Nullable Object> items = new ArrayList<>();
        int size = random.nextInt(4);
        for (int i = 0; i < size; i++) {
          items.add(value(schema.getElementType()));
        }
        yield items;
      }
      case MAP -> {
        Map<String, @Nullable Object> map = new LinkedHashMap<>();
        int size = random.nextInt(20);
        for (int i = 0; i < size; i++) {
          map.put(word() + random.nextInt(), value(schema.getValueType()));
        }
        yield map;
      }
      case ENUM ->
          new GenericData.EnumSymbol(schema, schema.getEnumSymbols().get(random.nextInt(3)));
      case FIXED -> new GenericData.Fixed(schema, bytes(schema.getFixedSize()));
      case BYTES -> ByteBuffer.wrap(bytes(random.nextInt(20)));
      case STRING -> word() + random.nextInt(100);
      case INT -> random.nextInt() >> random.nextInt(32);
      case LONG -> random.nextLong() >> random.nextInt(64);
      case FLOAT -> random.nextInt(10) == 0 ? Float.NaN : (float) random.nextGaussian(0, 1e6);
      case DOUBLE ->
          random.nextInt(10) == 0 ? Double.NEGATIVE_INFINITY : random.nextGaussian(0, 1e12);
      case BOOLEAN -> random.nextBoolean();
      case NULL -> null;
    };
  }

  private Object logicalValue(LogicalType type) {
    long seconds = random.nextLong(-4_000_000_000L, 4_000_000_000L);
    long nanos = random.nextInt(1_000_000_000);
    return switch (type.getName()) {
      case "decimal" ->
          new BigDecimal(
              BigInteger.valueOf(random.nextLong() % 100_000_000_000_000_000L),
              ((LogicalTypes.Decimal) type).getScale());
      case "uuid" -> new UUID(random.nextLong(), random.nextLong());
      case "date" -> LocalDate.ofEpochDay(random.nextInt(-100_000, 100_000));
      case "time-millis" -> LocalTime.ofNanoOfDay(random.nextInt(86_400_000) * 1_000_000L);
      case "time-micros" -> LocalTime.ofNanoOfDay(random.nextLong(86_400_000_000L) * 1_000);
      case "timestamp-millis" -> Instant.ofEpochSecond(seconds, nanos / 1_000_000 * 1_000_000);
      case "timestamp-micros" -> Instant.ofEpochSecond(seconds, nanos / 1_000 * 1_000);
      case "timestamp-nanos" -> Instant.ofEpochSecond(seconds, nanos);
      case "local-timestamp-micros" ->
          LocalDateTime.ofEpochSecond(seconds, (int) (nanos / 1_000 * 1_000), ZoneOffset.UTC);
      default ->
          LocalDateTime.ofEpochSecond(
              seconds, (int) (nanos / 1_000_000 * 1_000_000), ZoneOffset.UTC);
    };
  }

  private String word() {
    return WORDS[random.nextInt(WORDS.length)];
  }

  private byte[] bytes(int length) {
    byte[] bytes = new byte[length];
    random.nextBytes(bytes);
    return bytes;
  }
}
