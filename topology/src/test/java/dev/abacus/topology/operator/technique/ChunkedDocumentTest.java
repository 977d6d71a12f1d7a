package dev.abacus.topology.operator.technique;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.TextNode;
import dev.abacus.schemas.catalogue.ModelCatalogue;
import dev.abacus.schemas.document.Document;
import dev.abacus.topology.model.embedding.TextChunks;
import dev.abacus.topology.model.token.TokenCounter;
import dev.abacus.topology.model.token.Tokenizer;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ChunkedDocumentTest {

  private static final TokenChunks CHARACTERS = new TokenChunks(new CharacterTokenizer());

  @Test
  void chunksConcatenateToTheTextAndHaveAMaximumSize() {
    Random random = new Random(2);
    String[] letters = {"a", "b", " ", "\n", "é", "😀", "語"};
    for (int i = 0; i < 3000; i++) {
      String text =
          IntStream.range(0, random.nextInt(200))
              .mapToObj(_ -> letters[random.nextInt(letters.length)])
              .collect(Collectors.joining());
      int size = 2 + random.nextInt(60);
      List<String> chunks = CHARACTERS.of(text, size);
      assertThat(String.join("", chunks)).isEqualTo(text);
      assertThat(chunks).allMatch(chunk -> !chunk.isEmpty() && chunk.length() <= size);
      assertThat(chunks).noneMatch(chunk -> Character.isLowSurrogate(chunk.charAt(0)));
    }
  }

  @Test
  void chunksOfAllSizesConsistOfTheSamePieces() {
    Random random = new Random(5);
    for (int i = 0; i < 100; i++) {
      StringBuilder text = new StringBuilder();
      for (int w = random.nextInt(4000); w > 0; w--) {
        text.append("x".repeat(1 + random.nextInt(random.nextInt(10) == 0 ? 150 : 12))).append(' ');
      }
      List<String> pieces = TextChunks.of(text.toString(), TextChunks.SIZE);
      for (int size : List.of(1000, 1500, 2000, 4000)) {
        List<String> chunks = CHARACTERS.of(text.toString(), size);
        assertThat(chunks).allMatch(chunk -> chunk.length() <= size);
        assertThat(chunks.stream().flatMap(chunk -> TextChunks.of(chunk, TextChunks.SIZE).stream()))
            .containsExactlyElementsOf(pieces);
      }
    }
  }

  @Test
  void theTailOfATextIsTheLongestThatFits() {
    Random random = new Random(3);
    String[] letters = {"a", "b", " ", "\n", "é", "😀", "語"};
    for (int i = 0; i < 1000; i++) {
      String text =
          IntStream.range(0, random.nextInt(2000))
              .mapToObj(_ -> letters[random.nextInt(letters.length)])
              .collect(Collectors.joining());
      int size = random.nextInt(1200);
      int start = CHARACTERS.startOfTail(text, size);
      int longest = Math.max(0, text.length() - size);
      boolean splitsPair =
          longest < text.length() && Character.isLowSurrogate(text.charAt(longest));
      assertThat(start).isEqualTo(splitsPair ? longest + 1 : longest);
    }
  }

  @Test
  void noChunkHasMoreTokensThanStatedAsEachModelCountsThem() {
    TokenCounter counter = TokenCounter.of(ModelCatalogue.builtIn());
    Random random = new Random(9);
    String[] words = {"contract ", "(§ 12)\n", "naïveté ", "条約は", "😀", "1234567 ", "\n\n", "x"};
    for (String model : List.of("gpt-4o", "all-minilm-l6-v2", "unheard-of")) {
      Tokenizer tokenizer = counter.tokenizer(model);
      for (int i = 0; i < 40; i++) {
        String text =
            IntStream.range(0, random.nextInt(1500))
                .mapToObj(_ -> words[random.nextInt(words.length)])
                .collect(Collectors.joining());
        int size = 8 + random.nextInt(600);
        String tail = text.substring(new TokenChunks(tokenizer).startOfTail(text, size));
        assertThat(tokenizer.count(tail).high()).isLessThanOrEqualTo(size);
        List<String> chunks = new TokenChunks(tokenizer).of(text, size);
        assertThat(String.join("", chunks)).isEqualTo(text);
        assertThat(chunks)
            .as("%s, %d tokens", model, size)
            .allMatch(chunk -> tokenizer.count(chunk).high() <= size);
      }
    }
  }

  @Test
  void aChunkEndsAfterWhiteSpaceIfPossible() {
    assertThat(CHARACTERS.of("aaaaaaaa bbbbbbbb", 10)).containsExactly("aaaaaaaa ", "bbbbbbbb");
  }

  @Test
  void keptChunksStayInOrderAndGapsAreMarked() {
    Document document =
        Document.empty()
            .with("a", TextNode.valueOf("11112222333344445555"))
            .with("n", TextNode.valueOf("6666"));
    ChunkedDocument chunked = ChunkedDocument.of(document, 4, CHARACTERS);
    assertThat(chunked.texts()).hasSize(6);
    assertThat(chunked.keep(Set.of(0, 1, 2, 3, 4, 5))).isEqualTo(document);
    Document kept = chunked.keep(Set.of(3, 0));
    assertThat(kept.get("a").textValue()).isEqualTo("1111\n…\n4444\n…");
    assertThat(kept.get("n").textValue()).isEqualTo("…");
  }
}
