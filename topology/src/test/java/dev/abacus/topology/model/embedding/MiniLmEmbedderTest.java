package dev.abacus.topology.model.embedding;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.abacus.topology.model.Embedder;
import dev.abacus.topology.model.Embedding;
import dev.abacus.topology.model.EmbeddingAnswer;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class MiniLmEmbedderTest {

  private static final MiniLmEmbedder MINILM =
      new MiniLmEmbedder(new EmbeddingCache(EmbeddingCache.DEFAULT_BYTES));

  @AfterAll
  static void close() {
    MINILM.close();
  }

  private static List<Embedding> embed(Embedder embedder, String... texts)
      throws InterruptedException {
    EmbeddingAnswer answer = embedder.embed(List.of(texts));
    assertThat(answer.failure()).isNull();
    return ((EmbeddingAnswer.Success) answer).embeddings();
  }

  @Test
  void similarTextsHaveSimilarEmbeddings() throws InterruptedException {
    List<Embedding> all =
        embed(MINILM, "My card was stolen.", "Someone took my bank card.", "The weather is nice.");
    assertThat(all).allSatisfy(each -> assertThat(each.dimensions()).isEqualTo(384));
    assertThat(all).allSatisfy(each -> assertThat(each.cosine(each)).isCloseTo(1, within(1e-5)));
    assertThat(all.get(0).cosine(all.get(1))).isGreaterThan(all.get(0).cosine(all.get(2)) + 0.3);
  }

  @Test
  void theEndOfALongTextInfluencesItsEmbedding() throws InterruptedException {
    String filler = "The parties agree to the following terms and conditions. ".repeat(30);
    List<Embedding> all =
        embed(
            MINILM,
            filler + "Volcano eruption in Iceland. ".repeat(60),
            filler + "Chocolate cake recipe with cream. ".repeat(60),
            "volcano");
    assertThat(all.get(0).cosine(all.get(2))).isGreaterThan(all.get(1).cosine(all.get(2)) + 0.1);
  }

  @Test
  void blankTextsAndTextsWithoutSpacesAreEmbedded() throws InterruptedException {
    assertThat(embed(MINILM, "", " \n", "x".repeat(3000), "語".repeat(1000), "😀".repeat(500)))
        .hasSize(5);
  }

  /** A text of one chunk is in the cache of both. */
  @Test
  @Timeout(60)
  void aCacheOfTextsMayBeThatOfChunks() throws InterruptedException {
    EmbeddingCache cache = new EmbeddingCache(1 << 20);
    try (MiniLmEmbedder embedder = new MiniLmEmbedder(cache)) {
      Embedder cached = new CachingEmbedder(embedder, cache);
      assertThat(embed(cached, "volcano", "cake")).isEqualTo(embed(MINILM, "volcano", "cake"));
      assertThat(embed(cached, "cake")).isEqualTo(embed(MINILM, "cake"));
    }
  }

  @Test
  void partsJoinToTheTextAndFitTheModel() {
    Random random = new Random(3);
    for (int i = 0; i < 20; i++) {
      StringBuilder text = new StringBuilder();
      for (int w = random.nextInt(900); w >= 0; w--) {
        text.append("abcdefghijklmnop", 0, 1 + random.nextInt(16)).append(' ');
      }
      List<MiniLmTokenizer.Part> parts = MiniLmTokenizer.split(text + "end");
      assertThat(String.join("", parts.stream().map(MiniLmTokenizer.Part::text).toList()))
          .isEqualTo(text + "end");
      assertThat(parts).allMatch(part -> part.tokens() <= MiniLmTokenizer.MAX_TOKENS);
    }
  }

  @Test
  void theEmbeddingOfALongTextIsTheMeanOfItsChunks() throws InterruptedException {
    String text = "The licensee pays a fee of ten dollars for every copy sold. ".repeat(40);
    List<String> chunks = TextChunks.of(text, TextChunks.SIZE);
    List<Embedding> parts = embed(MINILM, chunks.toArray(String[]::new));
    assertThat(embed(MINILM, text).getFirst())
        .isEqualTo(Embedding.mean(parts, chunks.stream().map(String::length).toList()));
  }
}
