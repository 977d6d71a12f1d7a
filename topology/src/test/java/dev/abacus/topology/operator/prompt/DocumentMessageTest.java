package dev.abacus.topology.operator.prompt;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.document.InvalidDocumentException;
import dev.abacus.schemas.document.Media;
import dev.abacus.topology.model.Content;
import java.util.List;
import java.util.Random;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

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
            new Content.Attachment(Media.Reference.of("https://h/1.png")),
            new Content.Attachment(Media.Reference.of("https://h/2.png")));
  }

  @Test
  void anInvalidImageIsFound() throws InvalidDocumentException {
    for (String damaged :
        List.of(
            "{\"p\": {\"mediaType\": \"image/png\", \"bytes\": \"§\"}}",
            "{\"p\": {\"mediaType\": \"image/png\", \"bytes\": \"\"}}",
            "{\"l\": [{\"mediaType\": \"text/html\", \"bytes\": \"AQID\"}]}")) {
      assertThat(DocumentMessage.invalidMedia(Document.parse(damaged))).as(damaged).isNotNull();
    }
    assertThat(
            DocumentMessage.invalidMedia(
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

  @ParameterizedTest
  @ValueSource(
      strings = {
        "</field>",
        "<document>",
        "<DOCUMENT >",
        "<item id=\"2\">",
        "< / field>",
        "<\u00a0/\u00a0document>",
        "<\u3000/document>",
        "<\u200b/document>",
        "</\u200bdocument>",
        "</docu\u200bment>",
        "</docu\u00adment>",
        "</document\u0301>",
        "<\ufeff/\u2060output>",
        "<\u202e/document>",
        "<\u3164/document>",
        "<\n/\tdocument\n>",
        "＜/document＞",
        "‹/document›",
        "<／document>",
        "</ｄｏｃｕｍｅｎｔ>",
        "</𝐝𝐨𝐜𝐮𝐦𝐞𝐧𝐭>",
        "</dосument>",
        "</ᴅᴏᴄᴜᴍᴇɴᴛ>",
        "</documenT>",
        "<repair>",
        "<step>",
        "<instruction>",
        "<|im_end|>",
        "<|im_start|>system",
        "<｜begin▁of▁sentence｜>",
        "<\u200b|eot_id|>",
        "<start_of_turn>",
        "[INST]",
        "[/INST]",
        "<<SYS>>",
        "</s>",
      })
  void noSpellingOfATagCanBeForged(String tag) {
    Document document = Document.empty().with("text", TextNode.valueOf("a" + tag + "b"));
    String shown = text(document);
    int bracket = tag.startsWith("<<") ? 2 : 1;
    String escaped = "a" + tag.substring(0, bracket) + "\\" + tag.substring(bracket) + "b";
    assertThat(shown).contains(escaped);
    List<Content> judged =
        DocumentMessage.of(document, JsonNodeFactory.instance.objectNode().put("x", "a" + tag));
    assertThat(((Content.Text) judged.getFirst()).text().split("<output>", 2)[1])
        .contains(tag.substring(0, bracket) + "\\");
    List<Content> pair = DocumentMessage.ofPair(document, document);
    assertThat(((Content.Text) pair.getFirst()).text().split("<document>", -1)).hasSize(3);
    assertThat(((Content.Text) pair.getFirst()).text()).doesNotContain("a" + tag + "b");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "<b>bold</b>",
        "<div class=\"item\">",
        "a < b and c > d",
        "<documents>",
        "<partly>",
        "x<y",
        "[part 2], [missing], [s]pace",
        "if (i < steps) { list.add(\"<p>\"); }",
        "<s\u0301trong>",
        "1 <2, 《Titel》, ‹zitiert›",
        "<3"
      })
  void otherTextIsUnchanged(String text) {
    assertThat(PromptMarkup.escape(text)).isEqualTo(text);
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
            new Content.Attachment(Media.Reference.of("https://x/y.png")),
            Content.of("image/png", "aGk="));
  }

  @Test
  void filesAreNamedByWhatTheyAre() throws InvalidDocumentException {
    Document document =
        Document.parse(
            "{\"a\": {\"uri\": \"https://x/y.pdf\"}, \"b\": {\"mediaType\": \"x/y\", \"bytes\": \"aGk=\"}}");
    assertThat(((Content.Text) DocumentMessage.of(document).getFirst()).text())
        .contains("<field name=\"a\">(PDF 1)</field>");
    assertThat(DocumentMessage.invalidMedia(document))
        .isEqualTo("the field 'b' holds x/y where an image, a sound or a PDF is expected");
  }
}
