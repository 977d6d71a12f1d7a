package dev.abacus.topology.live;

import static dev.abacus.schemas.result.ResultSchema.fitting;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.abacus.schemas.avro.AvroValues;
import dev.abacus.schemas.avro.MockSchemaRegistry;
import dev.abacus.schemas.catalogue.ModelCatalogue;
import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.plan.Estimate;
import dev.abacus.schemas.plan.PhysicalPlan;
import dev.abacus.schemas.plan.PlanChoice;
import dev.abacus.schemas.plan.PlanStep;
import dev.abacus.schemas.plan.Relational;
import dev.abacus.schemas.program.Program;
import dev.abacus.schemas.program.io.ProgramParser;
import java.nio.ByteBuffer;
import java.util.List;
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
    try (AvroValues avro = avro(Integer.toHexString(operators.hashCode()))) {
      DocumentCodec codec = new DocumentCodec(program, program.sources().getFirst(), avro);
      return avro.toJson("out", codec.write(Document.parse(document), plan(program)));
    }
  }

  private static PhysicalPlan plan(Program program) {
    List<PlanStep> steps =
        program.operators().stream()
            .map(operator -> new PlanStep(operator, new Relational()))
            .toList();
    return new PhysicalPlan(
        program.name(),
        1,
        new PlanChoice(steps, new Estimate(1, 0, 0)),
        program.objective(),
        List.of());
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
  void bothSidesOfAJoinMayWriteAnObjectOfTheSameName() throws Exception {
    Program program =
        new ProgramParser(ModelCatalogue.builtIn())
            .parse(
                """
                program: both-sides
                sources: { messages: { topic: messages }, orders: { topic: orders } }
                operators:
                  - map: read-message
                    input: messages
                    instruction: Read it.
                    writes: { facts: { type: object, properties: { mood: { type: string } } } }
                  - map: read-order
                    input: orders
                    instruction: Read it.
                    writes: { facts: { type: object, properties: { items: { type: integer } } } }
                  - project: [facts]
                    id: order-facts
                  - join: pair
                    input: read-message
                    with: order-facts
                    within: 1h
                    condition: The message is about the order.
                    into: order
                  - project: [facts, order]
                    id: pairs
                results: { topic: out, format: avro }
                """);
    String document = "{\"facts\":{\"mood\":\"good\"},\"order\":{\"facts\":{\"items\":2}}}";
    try (AvroValues avro = avro("both-sides")) {
      DocumentCodec codec = new DocumentCodec(program, program.sources().getFirst(), avro);
      assertThat(avro.toJson("out", codec.write(Document.parse(document), plan(program))))
          .hasToString(document);
    }
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

      Document read = codec.read(null, avro.toAvro("in", order, schema));

      assertThat(read.get("price").decimalValue()).isEqualByComparingTo("12.50");
      assertThat(without(read.toJson())).isEqualTo(without(order));
      assertThat(ByteBuffer.wrap(read.get("scan").binaryValue()).getShort()).isEqualTo((short) 258);
    }
  }

  /** As another team's producer would register it. */
  private static final String ORDER =
      """
      {"type": "record", "name": "Order", "namespace": "shop", "fields": [
       {"name": "id", "type": {"type": "string", "logicalType": "uuid"}, "doc": "Number of the order"},
       {"name": "at", "type": {"type": "long", "logicalType": "timestamp-millis"}},
       {"name": "price", "type": {"type": "bytes", "logicalType": "decimal", "precision": 9, "scale": 2}},
       {"name": "state", "type": {"type": "enum", "name": "State", "symbols": ["OPEN", "SHUT"]}, "default": "OPEN"},
       {"name": "note", "type": ["null", "string"], "default": null, "aliases": ["remark"]},
       {"name": "lines", "type": {"type": "array", "items": {"type": "record", "name": "Line",
         "fields": [{"name": "sku", "type": "string"}, {"name": "count", "type": "int", "default": 1}]}}},
       {"name": "tags", "type": {"type": "map", "values": "double"}},
       {"name": "hash", "type": {"type": "fixed", "name": "Hash", "size": 2}}]}
      """;

  private static final String ORDER_JSON =
      """
      {"id": "4f1c7a0e-2f64-4d5b-9d3c-2a1f5b6c7d8e", "at": "2026-01-31T12:00:00.123Z", "price": 12.50,
       "state": "SHUT", "note": "n", "lines": [{"sku": "a", "count": 2}], "tags": {"x": 1.5},
       "hash": "AQI="}
      """;

  private static final String SORT =
      HEAD
          + """
            - map: sort
              instruction: Which team?
              reads: [note]
              writes:
                team: { type: string, description: The team that answers }
                urgency: { type: integer, nullable: true }
            - project: [id, at, price, state, note, lines, tags, hash, team, urgency]
          """;

  @Test
  void fieldsOfAnAvroSourceKeepTheirTypesAndDescriptionsBecomeDocumentation() throws Exception {
    Schema order = new Schema.Parser().parse(ORDER);
    Program program = new ProgramParser(ModelCatalogue.builtIn()).parse(SORT);
    try (AvroValues avro = avro("foreign")) {
      DocumentCodec codec = new DocumentCodec(program, program.sources().getFirst(), avro);
      JsonNode sent = json(ORDER_JSON);
      Document read = codec.read(null, avro.toAvro("in", sent, order));
      Document sorted = read.with(Document.parse("{\"team\": \"refunds\", \"urgency\": null}"));

      JsonNode result = avro.toJson("out", codec.write(sorted, plan(program)));

      Schema schema =
          MockSchemaRegistry.ofScope("result-schema-foreign").latest("out-value").schema();
      for (Schema.Field field : order.getFields()) {
        assertThat(schema.getField(field.name()))
            .isEqualTo(field)
            .returns(field.doc(), Schema.Field::doc)
            .returns(field.aliases(), Schema.Field::aliases);
      }
      assertThat(schema.getField("team").schema().getType()).isEqualTo(Schema.Type.STRING);
      assertThat(schema.getField("team").doc()).isEqualTo("The team that answers");
      assertThat(schema.getField("urgency").schema().toString()).isEqualTo("[\"null\",\"long\"]");
      assertThat(result.get("price").decimalValue()).isEqualByComparingTo("12.50");
      ObjectNode expected = (ObjectNode) without(sent);
      expected.put("team", "refunds");
      assertThat(without(result)).hasToString(expected.toString());
    }
  }

  @Test
  void aFieldWithAFileHasTheTextInResults() throws Exception {
    Program program =
        new ProgramParser(ModelCatalogue.builtIn())
            .parse(
                HEAD.replace("format: avro } }", "format: avro, files: [scan] } }")
                    + "  - project: [scan]\n");
    Schema letter =
        new Schema.Parser()
            .parse(
                """
                {"type": "record", "name": "Letter", "fields": [{"name": "scan", "type": "bytes"}]}\
                """);
    try (AvroValues avro = avro("files")) {
      DocumentCodec codec = new DocumentCodec(program, program.sources().getFirst(), avro);

      Document read =
          codec.read(null, avro.toAvro("in", json("{\"scan\":\"RGVhciBBbm4=\"}"), letter));

      assertThat(read).hasToString("{\"scan\":\"Dear Ann\"}");
      assertThat(avro.toJson("out", codec.write(read, plan(program))))
          .hasToString("{\"scan\":\"Dear Ann\"}");
    }
  }

  @Test
  void documentsWithFieldsThatTheNewestSchemaLacksAreWritten() throws Exception {
    Program program = new ProgramParser(ModelCatalogue.builtIn()).parse(SORT);
    Schema order = new Schema.Parser().parse(ORDER);
    Schema shorter =
        new Schema.Parser()
            .parse(ORDER.replace(", {\"name\": \"count\", \"type\": \"int\", \"default\": 1}", ""));
    try (AvroValues avro = avro("shorter")) {
      DocumentCodec codec = new DocumentCodec(program, program.sources().getFirst(), avro);
      Document read = codec.read(null, avro.toAvro("in", json(ORDER_JSON), order));
      avro.toAvro("in", fitting(json(ORDER_JSON), shorter), shorter);

      JsonNode result =
          avro.toJson(
              "out", codec.write(read.with(Document.parse("{\"team\": \"a\"}")), plan(program)));

      assertThat(result.get("lines").toString()).isEqualTo("[{\"sku\":\"a\"}]");
    }
  }

  @Test
  void aPlanOfAnEarlierVersionWritesItsOwnFields() throws Exception {
    Program earlier =
        new ProgramParser(ModelCatalogue.builtIn())
            .parse(
                SORT.replace("        urgency: { type: integer, nullable: true }\n", "")
                    .replace(", urgency]", "]"));
    Program program =
        new ProgramParser(ModelCatalogue.builtIn()).parse(SORT.replace(", nullable: true", ""));
    try (AvroValues avro = avro("earlier")) {
      DocumentCodec codec = new DocumentCodec(program, program.sources().getFirst(), avro);
      Document read =
          codec.read(null, avro.toAvro("in", json(ORDER_JSON), new Schema.Parser().parse(ORDER)));
      Document sorted = read.with(Document.parse("{\"team\": \"a\"}"));

      JsonNode result = avro.toJson("out", codec.write(sorted, plan(earlier)));

      assertThat(result.get("team").textValue()).isEqualTo("a");
      assertThat(result.has("urgency")).isFalse();
    }
  }

  @Test
  void aSchemaThatTheRegistryRefusesGivesWayToTheNewestWithAllFields() throws Exception {
    Program program =
        new ProgramParser(ModelCatalogue.builtIn()).parse(HEAD + "  - project: [id]\n");
    Schema before =
        new Schema.Parser()
            .parse(
                """
                {"type": "record", "name": "avro_results", "namespace": "abacus.results", "fields": [
                 {"name": "id", "type": ["null", "boolean", "long", "string"], "default": null}]}
                """);
    MockSchemaRegistry registry = MockSchemaRegistry.ofScope("result-schema-refused");
    registry.register("out-value", before);
    try (AvroValues avro = avro("refused")) {
      DocumentCodec codec = new DocumentCodec(program, program.sources().getFirst(), avro);
      Document read =
          codec.read(null, avro.toAvro("in", json(ORDER_JSON), new Schema.Parser().parse(ORDER)));

      JsonNode result = avro.toJson("out", codec.write(read, plan(program)));

      assertThat(result.get("id")).isEqualTo(read.get("id"));
      assertThat(registry.latest("out-value").version()).isEqualTo(1);
    }
  }
}
