package dev.abacus.topology.live;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.abacus.schemas.avro.AvroValues;
import dev.abacus.schemas.control.OperatorCounts;
import dev.abacus.schemas.control.SourceSize;
import dev.abacus.schemas.kafka.Headers;
import dev.abacus.topology.model.ModelFailure;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.avro.Schema;
import org.apache.kafka.streams.test.TestRecord;
import org.junit.jupiter.api.Test;

/** Results of documents, the plan that they follow, and what is counted. */
class DocumentTopologyTest extends DocumentTopologyFixture {

  @Test
  void aDocumentGivesAResultWithItsSourceAndItsPlan() throws Exception {
    start("json", null);
    activate(1);
    send("k", "{\"id\":\"d\",\"text\":\"hi\",\"tags\":[1]}");

    TestRecord<String, byte[]> result = results().readRecord();

    assertThat(result.key()).isEqualTo("k");
    assertThat(text(result.value())).isEqualTo("{\"id\":\"d\",\"intent\":\"refund\",\"tags\":[1]}");
    assertThat(header(result, Headers.PROGRAM)).isEqualTo("triage");
    assertThat(header(result, Headers.PLAN_EPOCH)).isEqualTo("1");
    assertThat(result.headers().headers(Headers.PLAN_EPOCH)).hasSize(1);
    assertThat(header(result, Headers.COST_USD)).isEqualTo("0.02");
    assertThat(header(result, Headers.TOKENS))
        .isEqualTo("input=20 cached=8 output=2 reasoning=0 estimated=0");
    assertThat(header(result, Headers.QUALITY_ESTIMATE)).isEqualTo("0.9");
    assertThat(header(result, Headers.SOURCE)).isEqualTo("in-0@0");
    assertThat(header(result, "traceparent")).isEqualTo("00-abc");
  }

  @Test
  void theLengthsOfProcessedDocumentsAreReported() throws Exception {
    start("json", null);
    activate(1);
    send("k", "{\"id\":\"d\",\"text\":\"hi\",\"tags\":[1]}");
    send("k", "{\"id\":\"e\",\"text\":\"hello\"}");
    send("k", "not a document");
    results().readRecordsToList();

    List<SourceSize> sizes = counters.status("p", "i", Instant.EPOCH, "", 1L).sizes();
    assertThat(sizes)
        .singleElement()
        .satisfies(size -> {
          assertThat(size.documents()).isEqualTo(2);
          assertThat(size.characters())
              .isEqualTo("d".length() + "hi".length() + 1 + "ehello".length());
        });
  }

  @Test
  void theWorkOfEachOperatorIsReported() throws Exception {
    start("json", null);
    activate(1);
    send("k", "{\"id\":\"d\",\"text\":\"hi\"}");
    decision = "false";
    send("k", "{\"id\":\"e\",\"text\":\"hello\"}");
    failure = new ModelFailure.Declined("no");
    duringCall = () -> assertThat(operators().getFirst().running()).isEqualTo(1);
    send("k", "{\"id\":\"f\",\"text\":\"hello\"}");

    assertThat(operators())
        .usingRecursiveFieldByFieldElementComparatorIgnoringFields("cache")
        .containsExactly(
            new OperatorCounts("classify", 3, 2, 1, 0.02, 1.1, 0, null, null),
            new OperatorCounts("project", 1, 1, 0, 0, 0, 0, null, null),
            new OperatorCounts("urgent", 2, 1, 0, 0.02, 1, 0, null, null));
    assertThat(counters.latencies()).containsOnlyKeys("classify", "urgent");
  }

  private List<OperatorCounts> operators() {
    return counters.status("p", "i", Instant.EPOCH, "", 1L).operators();
  }

  @Test
  void aFilteredDocumentGivesNothing() throws Exception {
    start("json", null);
    activate(1);
    decision = "false";
    send("k", "{\"id\":\"d\",\"text\":\"hi\"}");

    assertThat(results().isEmpty()).isTrue();
    assertThat(deadLetters().isEmpty()).isTrue();
    assertThat(counters.status("p", "i", Instant.EPOCH, "", 1L).filtered()).isEqualTo(1);
  }

  @Test
  void aTombstoneGivesATombstone() throws Exception {
    start("json", null);
    activate(1);
    send("k", (String) null);

    assertThat(results().readRecord().value()).isNull();
  }

  @Test
  void aNewPlanAppliesToDocumentsThatWaitForTheirFirstCall() throws Exception {
    start("json", null);
    activate(1);
    hold = true;
    send("a", "{\"id\":\"a\",\"text\":\"hi\"}");
    activate(2);
    release();

    assertThat(header(results().readRecord(), Headers.PLAN_EPOCH)).isEqualTo("2");
  }

  @Test
  void aDocumentKeepsThePlanThatItsFirstCallStartedUnder() throws Exception {
    start("json", null);
    activate(1);
    hold = true;
    duringCall = () -> activate(2);
    send("a", "{\"id\":\"a\",\"text\":\"hi\"}");
    send("b", "{\"id\":\"b\",\"text\":\"hi\"}");
    release();

    assertThat(results().readRecordsToList())
        .extracting(record -> record.key() + header(record, Headers.PLAN_EPOCH))
        .containsExactly("a1", "b2");
  }

  @Test
  void avroComesInAndGoesOut() throws Exception {
    try (AvroValues avro =
        Objects.requireNonNull(
            AvroValues.connect(Map.of("schema.registry.url", "mock://document-topology")))) {
      start("avro", avro);
      activate(1);
      Schema schema =
          new Schema.Parser()
              .parse(
                  """
                  {"type":"record","name":"Message","fields":[{"name":"id","type":"string"},
                   {"name":"text","type":"string"},{"name":"tags","type":{"type":"array","items":"int"}}]}
                  """);
      JsonNode document =
          new ObjectMapper().readTree("{\"id\":\"d\",\"text\":\"hi\",\"tags\":[1,2]}");
      send("k", avro.toAvro("in", document, schema));

      JsonNode result = avro.toJson("out", results().readRecord().value());

      assertThat(result)
          .isEqualTo(
              new ObjectMapper().readTree("{\"id\":\"d\",\"intent\":\"refund\",\"tags\":[1,2]}"));
    }
  }
}
