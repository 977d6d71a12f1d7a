package dev.abacus.schemas.avro;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.cfg.JsonNodeFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import org.apache.avro.LogicalTypes;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericRecord;
import org.junit.jupiter.api.Test;

class AvroJsonTest {

  /** Without the bounds of {@link dev.abacus.schemas.input.BoundedJson}. */
  private final ObjectMapper mapper =
      JsonMapper.builder()
          .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
          .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
          .build();

  private final Schema document =
      Schemas.parse(
          """
          {"type": "record", "name": "Document", "namespace": "d", "fields": [
            {"name": "id", "type": "long"},
            {"name": "title", "type": ["null", "string"], "default": null},
            {"name": "price", "type": ["null", {"type": "bytes", "logicalType": "decimal", "precision": 6, "scale": 2}], "default": null},
            {"name": "seen", "type": ["null", {"type": "long", "logicalType": "timestamp-millis"}]},
            {"name": "tags", "type": {"type": "array", "items": "string"}, "default": ["new"]}
          ]}
          """);

  private JsonNode json(String text) {
    try {
      return mapper.readTree(text.replace('\'', '"'));
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException(text, e);
    }
  }

  @Test
  void absentFieldsTakeTheirDefaultOrNull() {
    GenericRecord record = Schemas.record(json("{'id': 1}"), document);

    assertThat(record.get("title")).isNull();
    assertThat(record.get("seen")).isNull();
    assertThat(record.get("tags")).isEqualTo(List.of("new"));
  }

  @Test
  void recordsDoNotShareADefaultThatCanBeChanged() {
    GenericRecord first = Schemas.record(json("{'id': 1}"), document);
    GenericRecord second = Schemas.record(json("{'id': 2}"), document);
    first.put("tags", null);

    assertThat(second.get("tags")).isNotNull().isNotSameAs(first.get("tags"));
  }

  @Test
  void nullDisappearsTowardsJsonOnlyWhereItIsTheDefault() {
    GenericRecord record = Schemas.record(json("{'id': 1, 'title': null}"), document);

    assertThat(AvroJson.toJson(record)).hasToString("{\"id\":1,\"seen\":null,\"tags\":[\"new\"]}");
  }

  @Test
  void decimalsAreExact() {
    GenericRecord record = Schemas.record(json("{'id': 1, 'price': 1234.10}"), document);

    assertThat(record.get("price")).isEqualTo(new BigDecimal("1234.10"));
    assertThat(AvroJson.toJson(record).get("price").toString()).isEqualTo("1234.10");
  }

  @Test
  void timestampsAreIsoStringsWithAnyOffsetCutToThePrecisionOfTheSchema() {
    GenericRecord record =
        Schemas.record(json("{'id': 1, 'seen': '2026-05-01T12:00:00.123456+02:00'}"), document);

    assertThat(record.get("seen")).isEqualTo(Instant.parse("2026-05-01T10:00:00.123Z"));
  }

  @Test
  void rawValuesBelowLogicalTypesAreUnderstoodTowardsJson() {
    Schema date = Schemas.parse("{\"type\": \"int\", \"logicalType\": \"date\"}");

    assertThat(AvroJson.toJson(1, date).textValue()).isEqualTo("1970-01-02");
    assertThat(AvroJson.toJson(LocalDate.of(2026, 1, 31), date).textValue())
        .isEqualTo("2026-01-31");
  }

  @Test
  void bytesAreBase64() {
    Schema bytes = Schema.create(Schema.Type.BYTES);

    assertThat(AvroJson.toAvro(json("'AQID'"), bytes))
        .isEqualTo(ByteBuffer.wrap(new byte[] {1, 2, 3}));
    assertThatThrownBy(() -> AvroJson.toAvro(json("'*'"), bytes))
        .hasMessage("$: expected bytes in base64, found string \"*\"");
  }

  @Test
  void mapsKeepTheirOrder() {
    Schema map = Schema.createMap(Schema.create(Schema.Type.INT));

    assertThat((Map<?, ?>) AvroJson.toAvro(json("{'z': 1, 'a': 2, 'm': 3}"), map))
        .extracting(Map::keySet)
        .hasToString("[z, a, m]");
  }

  @Test
  void recordBranchesAreChosenByTheirKeys() {
    Schema union =
        Schemas.parse(
            """
            ["null",
             {"type": "record", "name": "Card", "fields": [
               {"name": "number", "type": "string"},
               {"name": "holder", "type": ["null", "string"], "default": null}]},
             {"type": "record", "name": "Transfer", "fields": [{"name": "iban", "type": "string"}]}]
            """);

    assertThat(chosen("{'iban': 'DE00'}", union)).isEqualTo("Transfer");
    assertThat(chosen("{'number': '1'}", union)).isEqualTo("Card");
    assertThat(chosen("{'holder': 'me', 'number': '1'}", union)).isEqualTo("Card");
    assertThatThrownBy(() -> chosen("{'holder': 'me'}", union))
        .hasMessageStartingWith("$: expected (null | record Card | record Transfer), found object");
  }

  @Test
  void recordBranchesOfTheSameKeysAreChosenByTheirTypes() {
    Schema union =
        Schemas.parse(
            """
            [{"type": "record", "name": "Number", "fields": [{"name": "value", "type": "long"}]},
             {"type": "record", "name": "Text", "fields": [{"name": "value", "type": "string"}]}]
            """);

    assertThat(chosen("{'value': 'x'}", union)).isEqualTo("Text");
    assertThat(chosen("{'value': 7}", union)).isEqualTo("Number");
  }

  private String chosen(String text, Schema union) {
    Object value = AvroJson.toAvro(json(text), union);
    return value instanceof GenericRecord record ? record.getSchema().getName() : "no record";
  }

  @Test
  void scalarBranchesAreChosenByTheirJsonType() {
    Schema union = Schemas.parse("[\"double\", \"string\", \"boolean\", \"long\", \"int\"]");

    assertThat(AvroJson.toAvro(json("5"), union)).isEqualTo(5);
    assertThat(AvroJson.toAvro(json("5000000000"), union)).isEqualTo(5_000_000_000L);
    assertThat(AvroJson.toAvro(json("5.0"), union)).isEqualTo(5.0);
    assertThat(AvroJson.toAvro(json("'5'"), union)).isEqualTo("5");
    assertThat(AvroJson.toAvro(json("true"), union)).isEqualTo(true);
  }

  @Test
  void errorsNameThePathTheTypeAndWhatWasFound() {
    Schema orders =
        Schemas.parse(
            """
            {"type": "record", "name": "Orders", "fields": [{"name": "lines", "type": {"type": "array", "items":
              {"type": "record", "name": "Line", "fields": [{"name": "count", "type": "int"}]}}}]}
            """);

    assertRefused("{'lines': [{'count': 1}, {'count': '2'}]}", orders)
        .isEqualTo("$.lines[1].count: expected int, found string \"2\"");
    assertRefused("{'lines': [{}]}", orders)
        .isEqualTo("$.lines[0].count: expected int, found nothing");
    assertRefused("{'lines': [], 'more': 1}", orders)
        .isEqualTo("$.more: expected a field of record Orders, found number 1");
    assertRefused("{'lines': [{'count': 1.5}]}", orders)
        .isEqualTo("$.lines[0].count: expected int, found number 1.5");
    assertRefused("{'lines': null}", orders)
        .isEqualTo("$.lines: expected array of record Line, found null");
  }

  @Test
  void whatWouldHaveToBeRoundedOrCutIsRefused() {
    assertRefused("{'id': 1, 'price': 1.001}", document).contains("$.price: expected decimal(6,2)");
    assertRefused("{'id': 1, 'price': 12345}", document).contains("$.price: expected decimal(6,2)");
    assertRefused("{'id': 1, 'price': 1e999999999}", document).contains("decimal(6,2)");
    assertRefused("{'id': 9223372036854775808}", document).contains("$.id: expected long");
    Schema date = LogicalTypes.date().addToSchema(Schema.create(Schema.Type.INT));
    assertRefused("'+999999999-12-31'", date).contains("expected date as int");
    assertRefused("{'id': 1, 'seen': 'yesterday'}", document)
        .contains("$.seen: expected timestamp-millis as long, found string \"yesterday\"");
  }

  private org.assertj.core.api.AbstractStringAssert<?> assertRefused(String text, Schema schema) {
    try {
      AvroJson.toAvro(json(text), schema);
    } catch (AvroJsonException e) {
      return assertThat(e.getMessage());
    }
    throw new AssertionError("not refused: " + text);
  }

  @Test
  void anAvroValueThatDoesNotFitIsRefusedWithItsPath() {
    GenericRecord record = new GenericData.Record(Schemas.GREETING);
    record.put("text", 5);

    assertThatThrownBy(() -> AvroJson.toJson(record))
        .isInstanceOf(AvroJsonException.class)
        .hasMessage("$.text: expected string, found java.lang.Integer 5");
  }
}
