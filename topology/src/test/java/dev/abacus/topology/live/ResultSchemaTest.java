package dev.abacus.topology.live;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.abacus.schemas.avro.AvroValues;
import dev.abacus.schemas.catalogue.ModelCatalogue;
import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.program.Program;
import dev.abacus.schemas.program.io.ProgramParser;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.Objects;
import org.apache.avro.Schema;
import org.junit.jupiter.api.Test;

/** Results of every operator in Avro, and documents from any Avro record. */
class ResultSchemaTest {

  private static final String HEAD =
      """
      program: avro-results
      sources: { docs: { topic: in, format: avro } }
      references: { intents: { topic: intents, key: label } }
      results: { topic: out, format: avro }
      operators:
      """;

  private static JsonNode written(String operators, String document) throws Exception {
    Program program = new ProgramParser(ModelCatalogue.builtIn()).parse(HEAD + operators.indent(2));
    try (AvroValues avro = avro("written")) {
      DocumentCodec codec = new DocumentCodec(program, program.sources().getFirst(), avro);
      return avro.toJson("out", codec.write(Document.parse(document)));
    }
  }

  private static AvroValues avro(String registry) {
    return Objects.requireNonNull(
        AvroValues.connect(Map.of("schema.registry.url", "mock://result-schema-" + registry)));
  }

  private static JsonNode without(JsonNode order) {
    ObjectNode rest = order.deepCopy();
    rest.remove("price");
    return rest;
  }

  private static JsonNode json(String text) throws Exception {
    return new ObjectMapper().readTree(text);
  }

  @Test
  void itemsOfATopKAndOfAJoinAreJsonTexts() throws Exception {
    assertThat(
            ""
                + written(
                    """
                    - topk: candidates
                      from: intents
                      query: [text]
                      writes: candidates
                    - join: one
                      with: intents
                      condition: It fits.
                    - project: [id, candidates, intents]
                    """,
                    """
                    {"id": 7, "text": "t", "candidates": [{"label": "a"}, "b", 3],
                     "intents": {"label": "a"}}
                    """))
        .isEqualTo(
            ""
                + json(
                    """
                    {"id": 7, "candidates": ["{\\"label\\":\\"a\\"}", "b", 3],
                     "intents": "{\\"label\\":\\"a\\"}"}
                    """));
  }

  @Test
  void anAggregateHasTheTypesOfWhatItComputesAndWrites() throws Exception {
    assertThat(
            ""
                + written(
                    """
                    - aggregate: daily
                      by: [who]
                      window: { tumbling: 1h }
                      instruction: Summarise.
                      writes: { summary: string }
                      compute: { n: count, total: sum(x), least: min(x), all: list(x) }
                    """,
                    """
                    {"who": "ann", "n": 3, "total": 6, "least": null, "all": [1, "x", {"y": 2}],
                     "summary": "s", "members": []}
                    """))
        .isEqualTo(
            ""
                + json(
                    """
                    {"who": "ann", "n": 3, "total": 6.0, "all": [1, "x", "{\\"y\\":2}"],
                     "summary": "s"}
                    """));
  }

  @Test
  void logicalTypesOfASourceBecomeNumbersAndIsoTexts() throws Exception {
    Schema schema =
        new Schema.Parser()
            .parse(
                """
                {"type": "record", "name": "Order", "fields": [
                 {"name": "price", "type": {"type": "bytes", "logicalType": "decimal", "precision": 9, "scale": 2}},
                 {"name": "day", "type": {"type": "int", "logicalType": "date"}},
                 {"name": "at", "type": {"type": "long", "logicalType": "timestamp-millis"}},
                 {"name": "state", "type": {"type": "enum", "name": "State", "symbols": ["OPEN", "SHUT"]}},
                 {"name": "note", "type": ["null", "string"], "default": null},
                 {"name": "lines", "type": {"type": "array", "items": {"type": "record", "name": "Line",
                   "fields": [{"name": "count", "type": "int"}]}}},
                 {"name": "tags", "type": {"type": "map", "values": "string"}},
                 {"name": "scan", "type": "bytes"}]}
                """);
    Program program =
        new ProgramParser(ModelCatalogue.builtIn()).parse(HEAD + "  - project: [price]\n");
    JsonNode order =
        json(
            """
            {"price": 12.50, "day": "2026-01-31", "at": "2026-01-31T12:00:00Z", "state": "OPEN",
             "note": "n", "lines": [{"count": 2}], "tags": {"a": "b"}, "scan": "AQI="}
            """);
    try (AvroValues avro = avro("source")) {
      DocumentCodec codec = new DocumentCodec(program, program.sources().getFirst(), avro);

      Document read = codec.read(avro.toAvro("in", order, schema));

      assertThat(read.get("price").decimalValue()).isEqualByComparingTo("12.50");
      assertThat(without(read.toJson())).isEqualTo(without(order));
      assertThat(ByteBuffer.wrap(read.get("scan").binaryValue()).getShort()).isEqualTo((short) 258);
    }
  }
}
