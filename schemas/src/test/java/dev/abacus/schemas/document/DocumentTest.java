package dev.abacus.schemas.document;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.IntNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DocumentTest {

  @Test
  void numbersKeepTheirDigitsAndFieldsTheirOrder() throws Exception {
    String json =
        "{\"z\":0.10,\"a\":123456789012345678901234567890,\"n\":{\"list\":[1,null,true]}}";

    assertThat(Document.parse(json).toBytes()).asString(StandardCharsets.UTF_8).isEqualTo(json);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "[]", "\"text\"", "null", "{\"a\":1", "{\"a\":1}{}", "{\"a\":1,\"a\":2}"})
  void whatIsNotOneJsonObjectIsRefused(String json) {
    assertThatThrownBy(() -> Document.parse(json)).isInstanceOf(InvalidDocumentException.class);
  }

  @Test
  void aRefusalNamesAnEmptyValueAndOneOfAnotherFormat() {
    assertThatThrownBy(() -> Document.parse(""))
        .isInstanceOf(InvalidDocumentException.class)
        .hasMessageContaining("an empty value");
    assertThatThrownBy(() -> Document.parse(new byte[] {0, 0, 0, 0, 1, 8, 'a', '8', '0', '0'}))
        .isInstanceOf(InvalidDocumentException.class)
        .hasMessageContaining("is `format` that of the topic?");
  }

  @Test
  void aDocumentNeverChanges() throws Exception {
    Document document = Document.parse("{\"list\":[1],\"text\":\"t\"}");
    ((ArrayNode) document.get("list")).add(2);
    document.toJson().put("text", "other");

    assertThat(document).isEqualTo(Document.parse("{\"list\":[1],\"text\":\"t\"}"));
    assertThat(document.with("more", new IntNode(1)).fieldNames())
        .containsExactly("list", "text", "more");
    assertThat(document.fieldNames()).containsExactly("list", "text");
  }

  @Test
  void aProjectionFollowsTheNamesAndPassesOverAbsentFields() throws Exception {
    Document document = Document.parse("{\"a\":1,\"b\":2}");

    assertThat(document.only(List.of("b", "x", "a")).toString()).isEqualTo("{\"b\":2,\"a\":1}");
  }

  @Test
  void imagesComeByReferenceOrByContent() throws Exception {
    Document document =
        Document.parse(
            "{\"ref\":{\"uri\":\"https://x/y.png\"},\"content\":{\"mediaType\":\"image/png\",\"bytes\":\"AAEC\"},\"bad\":{\"mediaType\":\"image/png\",\"bytes\":\"%\"}}");

    assertThat(Media.of(document.get("ref"))).isEqualTo(Media.Reference.of("https://x/y.png"));
    assertThat(Media.of(document.get("content"))).isEqualTo(new Media.Content("image/png", "AAEC"));
    assertThat(Media.of(document.get("bad"))).isNull();
    assertThat(Media.of(new TextNode("text"))).isNull();
  }
}
