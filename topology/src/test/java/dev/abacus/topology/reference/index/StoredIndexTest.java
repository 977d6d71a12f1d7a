package dev.abacus.topology.reference.index;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.langchain4j.data.embedding.Embedding;
import dev.langchain4j.data.segment.TextSegment;
import dev.langchain4j.store.embedding.EmbeddingSearchRequest;
import dev.langchain4j.store.embedding.EmbeddingSearchResult;
import dev.langchain4j.store.embedding.EmbeddingStore;
import dev.langchain4j.store.embedding.inmemory.InMemoryEmbeddingStore;
import java.util.Collection;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What an external store adds: it may be away. */
class StoredIndexTest {

  /** A store that comes and goes. */
  private static final class FlakyStore implements EmbeddingStore<TextSegment> {
    private final InMemoryEmbeddingStore<TextSegment> store = new InMemoryEmbeddingStore<>();
    private boolean away;
    private int calls;

    private InMemoryEmbeddingStore<TextSegment> store() {
      calls++;
      if (away) {
        throw new IllegalArgumentException("connection refused");
      }
      return store;
    }

    @Override
    public String add(Embedding embedding) {
      return store().add(embedding);
    }

    @Override
    public void add(String id, Embedding embedding) {
      store().add(id, embedding);
    }

    @Override
    public String add(Embedding embedding, TextSegment text) {
      return store().add(embedding, text);
    }

    @Override
    public List<String> addAll(List<Embedding> embeddings) {
      return store().addAll(embeddings);
    }

    @Override
    public void addAll(List<String> ids, List<Embedding> embeddings, List<TextSegment> texts) {
      store().addAll(ids, embeddings, texts);
    }

    @Override
    public void removeAll(Collection<String> ids) {
      store().removeAll(ids);
    }

    @Override
    public void removeAll() {
      store().removeAll();
    }

    @Override
    public EmbeddingSearchResult<TextSegment> search(EmbeddingSearchRequest request) {
      return store().search(request);
    }
  }

  private static final float[] EAST = {1, 0};
  private static final float[] NORTH = {0, 1};

  private final FlakyStore store = new FlakyStore();
  private final StoredIndex index = new StoredIndex(store, 2);

  @Test
  void writesWhatItCouldNotWriteOnceTheStoreIsBack() {
    index.put("a", EAST);
    index.put("b", NORTH);
    index.flush();
    store.away = true;
    index.put("a", NORTH);
    index.put("c", EAST);
    index.remove("b");
    index.flush();
    assertThatThrownBy(() -> index.nearest(EAST, 3))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("vector store")
        .hasMessageContaining("connection refused");
    store.away = false;
    index.flush();
    assertThat(index.nearest(EAST, 3)).extracting(Neighbour::key).containsExactly("c", "a");
    assertThat(index.size()).isEqualTo(2);
  }

  @Test
  void writesManyChangesAtATime() {
    int before = store.calls;
    for (int i = 0; i < 2_000; i++) {
      index.put("item-" + i, EAST);
    }
    index.flush();
    assertThat(store.calls - before).isLessThan(10);
    assertThat(index.nearest(EAST, 2_000)).hasSize(2_000);
  }

  @Test
  void namesOfTablesFitPostgresAndTellReferencesApart() {
    assertThat(PostgresVectors.table("abacus_vectors", "triage", "intents", "1"))
        .isEqualTo("abacus_vectors_triage_intents_1");
    assertThat(PostgresVectors.table("a", "b-c")).isNotEqualTo(PostgresVectors.table("a", "b_c"));
    String longest = PostgresVectors.table("p".repeat(80), "r");
    assertThat(longest).hasSize(63).isNotEqualTo(PostgresVectors.table("p".repeat(80), "q"));
  }
}
