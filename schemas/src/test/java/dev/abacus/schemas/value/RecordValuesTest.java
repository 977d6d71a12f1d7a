package dev.abacus.schemas.value;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.abacus.schemas.avro.AvroValues;
import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.document.InvalidDocumentException;
import dev.abacus.schemas.expression.WhereExpression;
import dev.abacus.schemas.input.BoundedJson;
import dev.abacus.schemas.program.Program.Format;
import dev.abacus.schemas.program.Program.Source;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Objects;
import org.apache.avro.Schema;
import org.junit.jupiter.api.Test;

/** Stores and topics hold documents as JSON, and have to read what they hold. */
class RecordValuesTest {

  private static final Schema CHAIN =
      new Schema.Parser()
          .parse(
              """
              {"type": "record", "name": "Chain", "fields": [
                {"name": "next", "type": ["null", "Chain"], "default": null}]}\
              """);

  private final AvroValues avro =
      Objects.requireNonNull(
          AvroValues.connect(Map.of("schema.registry.url", "mock://" + getClass().getName())));
  private final RecordValues values = new RecordValues(avro);

  private static JsonNode chain(int depth) {
    JsonNode chain = JsonNodeFactory.instance.objectNode();
    for (int i = 1; i < depth; i++) {
      chain = JsonNodeFactory.instance.objectNode().set("next", chain);
    }
    return chain;
  }

  private Document read(Format format, byte[] value) throws InvalidDocumentException {
    return values.read(new Source("in", "chains", format, "id"), null, value);
  }

  @Test
  void aDocumentOfAnyFormatCanBeReadAgainOrIsRefused() throws Exception {
    int most = BoundedJson.MAX_DEPTH;
    Document deep = read(Format.AVRO, avro.toAvro("chains", chain(most), CHAIN));
    assertThat(Document.parse(deep.toBytes())).isEqualTo(deep);

    byte[] deeper = avro.toAvro("chains", chain(most + 1), CHAIN);
    assertThatThrownBy(() -> read(Format.AVRO, deeper))
        .isInstanceOf(InvalidDocumentException.class)
        .hasMessage("nested too deeply");
    byte[] json = chain(most + 1).toString().getBytes(StandardCharsets.UTF_8);
    assertThatThrownBy(() -> read(Format.JSON, json))
        .isInstanceOf(InvalidDocumentException.class)
        .hasMessage("nested too deeply");
  }

  /**
   * Conditions, keys of groups and joins see the document before and after it was written: a number
   * must be the same number.
   */
  @Test
  void aNumberOfAnAvroRecordIsThatOfItsJson() throws Exception {
    Schema schema =
        new Schema.Parser()
            .parse(
                """
                {"type": "record", "name": "Numbers", "fields": [
                  {"name": "share", "type": "float"}, {"name": "price", "type": "double"}]}\
                """);
    String json = "{\"share\":0.1,\"price\":5.0}";
    Document document =
        read(Format.AVRO, avro.toAvro("numbers", Document.parse(json).toJson(), schema));
    assertThat(document).isEqualTo(Document.parse(json)).hasToString(json);
    assertThat(WhereExpression.compile("doc.share == 0.1").evaluate(document))
        .isEqualTo(new WhereExpression.Value.Decided(true));
  }

  /** As in the list that a search for items writes, or among the members of a group. */
  @Test
  void aDocumentInAListOfAnotherCanBeReadAgain() throws Exception {
    byte[] json = chain(BoundedJson.MAX_DEPTH).toString().getBytes(StandardCharsets.UTF_8);
    Document item = read(Format.JSON, json);
    Document whole =
        Document.empty().with("items", JsonNodeFactory.instance.arrayNode().add(item.toJson()));
    assertThat(Document.parse(whole.toBytes())).isEqualTo(whole);
  }
}
