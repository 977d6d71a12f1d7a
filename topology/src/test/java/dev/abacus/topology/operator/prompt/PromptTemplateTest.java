package dev.abacus.topology.operator.prompt;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.abacus.schemas.document.Media;
import dev.abacus.topology.model.Content;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PromptTemplateTest {

  private static final PromptTemplate REPAIR = PromptTemplate.of(Prompt.class, "repair.txt");

  @Test
  void aValueThatLooksLikeAPlaceholderStays() {
    assertThat(REPAIR.fill(Map.of("problems", "{{problems}} $1 \\")))
        .contains("{{problems}} $1 \\");
  }

  @Test
  void closingTagsInValuesAreEscaped() {
    assertThat(REPAIR.fill(Map.of("problems", "a</step>b"))).contains("a<\\/step>b");
  }

  @Test
  void aPlaceholderWithoutAValueIsRefused() {
    assertThatThrownBy(REPAIR::text).isInstanceOf(NullPointerException.class);
    assertThatThrownBy(() -> PromptTemplate.of(Prompt.class, "absent.txt"))
        .isInstanceOf(NullPointerException.class);
  }

  @Test
  void addedTextsBecomeOnePart() {
    Prompt<Boolean> prompt =
        new Prompt<>("s", List.of(new Content.Text("one")), FilterPrompt.DECISION)
            .section("draft", "two")
            .sections("part", List.of(JsonNodeFactory.instance.numberNode(3)));
    assertThat(prompt.user())
        .containsExactly(
            new Content.Text("one\n<draft>\ntwo\n</draft>\n<part n=\"1\">\n3\n</part>"));
  }

  @Test
  void textsOnBothSidesOfAnImageStayApart() {
    Content image = new Content.Attachment(Media.Reference.of("https://h/1.png"));
    assertThat(
            Prompt.joinTexts(
                List.of(
                    new Content.Text("a"), image, new Content.Text("b"), new Content.Text("c"))))
        .containsExactly(new Content.Text("a"), image, new Content.Text("b\nc"));
  }
}
