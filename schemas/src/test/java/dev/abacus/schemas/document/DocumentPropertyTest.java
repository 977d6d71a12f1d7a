package dev.abacus.schemas.document;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

class DocumentPropertyTest {

  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

  @Property(seed = "42")
  void aDocumentIsReadBackFromItsBytes(@ForAll("documents") Document document) throws Exception {
    Document back = Document.parse(document.toBytes());

    assertThat(back).isEqualTo(document);
    assertThat(back.fieldNames()).isEqualTo(document.fieldNames());
  }

  @Property(seed = "42")
  void aFieldThatIsSetIsTheFieldThatIsRead(
      @ForAll("documents") Document document, @ForAll("values") JsonNode value) {
    assertThat(document.with("field", value).get("field")).isEqualTo(value);
  }

  @Property(seed = "42")
  void onlyKeepsTheNamedFieldsThatExist(@ForAll("documents") Document document) {
    List<String> names = document.fieldNames();

    assertThat(document.only(names)).isEqualTo(document);
    assertThat(document.only(List.of("absent")).isEmpty()).isEqualTo(!document.has("absent"));
  }

  @Provide
  Arbitrary<Document> documents() {
    return objects(2).map(object -> Document.of((ObjectNode) object));
  }

  @Provide
  Arbitrary<JsonNode> values() {
    return values(2);
  }

  private static Arbitrary<JsonNode> values(int depth) {
    Arbitrary<JsonNode> leaf =
        Arbitraries.<JsonNode>oneOf(
            texts().map(JSON::textNode),
            Arbitraries.integers().map(JSON::numberNode),
            Arbitraries.longs().greaterOrEqual(1L << 40).map(JSON::numberNode),
            // A number of scale 0 is read back as an integer.
            Arbitraries.bigDecimals()
                .between(new BigDecimal("-1e12"), new BigDecimal("1e12"))
                .ofScale(4)
                .map(number -> JSON.numberNode(number.setScale(4))),
            Arbitraries.of(true, false).map(JSON::booleanNode),
            Arbitraries.just(JSON.nullNode()));
    return depth == 0
        ? leaf
        : Arbitraries.oneOf(
            leaf,
            objects(depth - 1),
            values(depth - 1).list().ofMaxSize(3).map(items -> JSON.arrayNode().addAll(items)));
  }

  private static Arbitrary<JsonNode> objects(int depth) {
    return Arbitraries.maps(texts(), values(depth))
        .ofMaxSize(4)
        .map((Map<String, JsonNode> fields) -> JSON.objectNode().setAll(fields));
  }

  private static Arbitrary<String> texts() {
    return Arbitraries.strings()
        .ofMaxLength(12)
        .filter(text -> StandardCharsets.UTF_8.newEncoder().canEncode(text));
  }
}
