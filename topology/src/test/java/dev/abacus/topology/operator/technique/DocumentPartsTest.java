package dev.abacus.topology.operator.technique;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.IntNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.document.Media;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class DocumentPartsTest {

  private static final TokenChunks CHARACTERS = new TokenChunks(new CharacterTokenizer());

  private static final String[] LETTERS = {"a", "b", " ", "\n", "é", "😀", "語"};

  private static String text(Random random, int length) {
    return IntStream.range(0, length)
        .mapToObj(_ -> LETTERS[random.nextInt(LETTERS.length)])
        .collect(Collectors.joining());
  }

  @Test
  void theTextsOfAllPartsTogetherAreTheTextsOfTheDocument() {
    Random random = new Random(3);
    for (int i = 0; i < 2000; i++) {
      Document document =
          Document.empty()
              .with("a", TextNode.valueOf(text(random, random.nextInt(150))))
              .with("n", IntNode.valueOf(i))
              .with("b", TextNode.valueOf(text(random, random.nextInt(150))));
      int size = 2 + random.nextInt(80);
      List<Document> parts = DocumentParts.of(document, size, CHARACTERS);
      for (String field : List.of("a", "b")) {
        assertThat(
                parts.stream()
                    .map(part -> part.get(field).asText(""))
                    .collect(Collectors.joining()))
            .isEqualTo(document.get(field).textValue());
      }
      assertThat(parts)
          .allMatch(part ->
              part.get("a").asText("").length() + part.get("b").asText("").length() <= size);
      assertThat(parts).allMatch(part -> part.get("n").equals(document.get("n")));
    }
  }

  @Test
  void aDocumentThatFitsIsUnchanged() {
    Document document =
        Document.empty().with("a", TextNode.valueOf("12345")).with("b", TextNode.valueOf("12345"));
    assertThat(DocumentParts.of(document, 10, CHARACTERS)).containsExactly(document);
    assertThat(DocumentParts.of(document, 9, CHARACTERS)).hasSize(2);
    assertThat(DocumentParts.of(Document.empty(), 10, CHARACTERS))
        .containsExactly(Document.empty());
  }

  @Test
  void imagesAreInTheFirstPartOnly() {
    Document document =
        Document.empty()
            .with("text", TextNode.valueOf("x".repeat(25)))
            .with(
                "photo", JsonNodeFactory.instance.objectNode().put("uri", "https://example.com/a"));
    List<Document> parts = DocumentParts.of(document, 10, CHARACTERS);
    assertThat(Media.of(document.get("photo"))).isNotNull();
    assertThat(parts).hasSize(3);
    assertThat(parts.getFirst().has("photo")).isTrue();
    assertThat(parts.subList(1, 3)).noneMatch(part -> part.has("photo"));
  }
}
