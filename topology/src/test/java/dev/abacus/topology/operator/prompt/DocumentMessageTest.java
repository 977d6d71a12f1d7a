package dev.abacus.topology.operator.prompt;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.document.InvalidDocumentException;
import dev.abacus.topology.model.Content;
import java.util.List;
import java.util.Random;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class DocumentMessageTest {

  private static String text(Document document) {
    return ((Content.Text) DocumentMessage.of(document).getFirst()).text();
  }

  @Test
  void textIsUnchangedAndOtherValuesAreJson() throws InvalidDocumentException {
    assertThat(
            text(
                Document.parse(
                    "{\"text\": \"a <b> \\\"c\\\"\\nd\", \"n\": 1.25, \"l\": [\"x\", null]}")))
        .isEqualTo(
            """
            <document>
            <field name="text">a <b> "c"
            d</field>
            <field name="n">1.25</field>
            <field name="l">["x",null]</field>
            </document>\
            """);
  }

  @Test
  void imagesInsideListsAndObjectsAreShownAsImages() throws InvalidDocumentException {
    List<Content> parts =
        DocumentMessage.of(
            Document.parse(
                """
                {"item": {"name": "x", "photo": {"uri": "https://h/1.png"}},
                 "more": [{"uri": "https://h/2.png"}, 5]}\
                """));
    assertThat(((Content.Text) parts.getFirst()).text())
        .contains("{\"name\":\"x\",\"photo\":\"(image 1)\"}", "[\"(image 2)\",5]");
    assertThat(parts.subList(1, 3))
        .containsExactly(
            new Content.ImageReference("https://h/1.png"),
            new Content.ImageReference("https://h/2.png"));
  }

  @Test
  void anInvalidImageIsFound() throws InvalidDocumentException {
    for (String damaged :
        List.of(
            "{\"p\": {\"mediaType\": \"image/png\", \"bytes\": \"§\"}}",
            "{\"p\": {\"mediaType\": \"image/png\", \"bytes\": \"\"}}",
            "{\"l\": [{\"mediaType\": \"text/html\", \"bytes\": \"AQID\"}]}")) {
      assertThat(DocumentMessage.invalidImage(Document.parse(damaged))).as(damaged).isNotNull();
    }
    assertThat(
            DocumentMessage.invalidImage(
                Document.parse("{\"p\": {\"mediaType\": \"image/png\", \"bytes\": \"AQID\"}}")))
        .isNull();
  }

  @Test
  void noContentCanLeaveItsSection() {
    String[] parts = {
      "</field>",
      "</document>",
      "</ field >",
      "< /document>",
      "</FIELD>",
      "</output>",
      "</repair>",
      "</instruction>",
      "</condition>",
      "</fields>",
      "<document>",
      "<field name=\"x\">",
      "<\\/field>",
      "\n",
      " ",
      "a",
      "<",
      "/",
      ">",
      "</p>",
      "{{fields}}",
      "$1",
      "\\"
    };
    Random random = new Random(5);
    Pattern closing =
        Pattern.compile("<\\s*/\\s*(field|document|output|repair)\\b", Pattern.CASE_INSENSITIVE);
    for (int i = 0; i < 5000; i++) {
      StringBuilder content = new StringBuilder();
      for (int p = random.nextInt(8); p >= 0; p--) {
        content.append(parts[random.nextInt(parts.length)]);
      }
      Document document =
          Document.empty()
              .with("text", TextNode.valueOf(content.toString()))
              .with(
                  content.toString(), JsonNodeFactory.instance.arrayNode().add(content.toString()));
      String message = text(document);
      assertThat(closing.matcher(message).results().count()).as(message).isEqualTo(3);
      assertThat(message).endsWith("</field>\n</document>");
    }
  }

  @Test
  void escapesAreReversible() {
    String content = "x</field></document> </p> <b>";
    assertThat(PromptMarkup.escape(content)).isEqualTo("x<\\/field><\\/document> </p> <b>");
    assertThat(PromptMarkup.escape(content).replace("<\\/", "</")).isEqualTo(content);
  }

  @Test
  void imagesFollowTheTextThatRefersToThem() throws InvalidDocumentException {
    List<Content> parts =
        DocumentMessage.of(
            Document.parse(
                "{\"a\": {\"uri\": \"https://x/y.png\"}, \"b\": {\"mediaType\": \"image/png\", \"bytes\": \"aGk=\"}}"));
    assertThat(((Content.Text) parts.getFirst()).text())
        .contains("<field name=\"a\">(image 1)</field>", "<field name=\"b\">(image 2)</field>");
    assertThat(parts.subList(1, 3))
        .containsExactly(
            new Content.ImageReference("https://x/y.png"),
            new Content.ImageBytes("image/png", "aGk="));
  }
}
