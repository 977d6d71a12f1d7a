package dev.abacus.topology.operator.technique;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.document.Media;
import dev.abacus.schemas.program.SemanticFilter;
import dev.abacus.topology.model.Content;
import dev.abacus.topology.model.ModelRequest;
import dev.abacus.topology.operator.prompt.FilterPrompt;
import java.util.List;
import org.junit.jupiter.api.Test;

class BatchPromptTest {

  private static final BatchPrompt PROMPT =
      new BatchPrompt(
          new FilterPrompt(new SemanticFilter("f", "in", "It is red.", List.of("text"))));

  private static ModelRequest request(Document document) {
    return PROMPT.request("m", document);
  }

  @Test
  void everyRequestGetsItsOwnAnswer() {
    assertThat(
            BatchPrompt.split(
                """
                {"answers": [{"id": 2, "answer": {"a": 2}}, {"id": 1, "answer": {"a": 1}}]}\
                """,
                2))
        .containsExactly("{\"a\":1}", "{\"a\":2}");
  }

  @Test
  void aNumberInQuotesIsANumber() {
    assertThat(BatchPrompt.split("{\"answers\": [{\"id\": \"1\", \"answer\": {\"a\": 1}}]}", 1))
        .containsExactly("{\"a\":1}");
  }

  @Test
  void aMissingDuplicateOrMalformedAnswerIsEmpty() {
    assertThat(
            BatchPrompt.split(
                """
                {"answers": [{"id": 1, "answer": {"a": 1}}, {"id": 1, "answer": {"a": 2}},
                 {"id": "two", "answer": {"a": 2}}, {"id": 3, "answer": true}, {"id": 9}, 5]}\
                """,
                4))
        .containsExactly("{}", "{}", "{}", "{}");
    assertThat(BatchPrompt.split("no JSON", 1)).containsExactly("{}");
  }

  @Test
  void joinedRequestsNumberTheirDocumentsAndKeepImagesBehindTheirText() {
    ModelRequest text = request(Document.empty().with("text", TextNode.valueOf("one")));
    ModelRequest image =
        request(
            Document.empty()
                .with("p", JsonNodeFactory.instance.objectNode().put("uri", "https://h/1.png")));
    ModelRequest joined = BatchPrompt.join(List.of(text, image, text));
    assertThat(joined.system()).isEqualTo(text.system());
    assertThat(joined.responseSchema()).isEqualTo(text.responseSchema());
    assertThat(joined.content()).hasSize(3);
    assertThat(((Content.Text) joined.content().getFirst()).text())
        .startsWith("<item id=\"1\">\n<document>")
        .contains("</item>\n<item id=\"2\">");
    assertThat(joined.content().get(1))
        .isEqualTo(new Content.Attachment(Media.Reference.of("https://h/1.png")));
    assertThat(((Content.Text) joined.content().getLast()).text())
        .startsWith("</item>\n<item id=\"3\">")
        .endsWith("</item>");
  }
}
