package dev.abacus.topology.reference.index;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.document.BinaryDocValuesField;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.KnnFloatVectorField;
import org.apache.lucene.document.StringField;
import org.apache.lucene.index.BinaryDocValues;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.Term;
import org.apache.lucene.index.VectorSimilarityFunction;
import org.apache.lucene.search.AcceptDocs;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.search.SearcherManager;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.MMapDirectory;
import org.apache.lucene.util.BytesRef;
import org.apache.lucene.util.IOUtils;
import org.jspecify.annotations.Nullable;

/**
 * Approximate search with Lucene's hierarchical navigable small world graph (Malkov and Yashunin,
 * <a href="https://arxiv.org/abs/1603.09320">arXiv:1603.09320</a>). The time of a search grows with
 * the logarithm of the number of vectors; a search may miss one of the k nearest.
 *
 * <p>A search fetches more vectors than requested and returns the best of them, which raises the
 * recall at little cost. The files are memory-mapped and deleted at close, because the index is
 * derived from the embedded topic and rebuilt after a restart.
 */
final class HnswIndex implements AutoCloseable {

  private static final String KEY = "key";
  private static final String VECTOR = "vector";

  /** Fetched at least; the recall for 10 of them is then above 0.99 at 100,000 vectors. */
  private static final int LEAST_FETCHED = 50;

  private static final double BUFFER_MB = 512;

  private final Path folder;
  private final Directory directory;
  private final IndexWriter writer;
  private final SearcherManager searchers;

  /** An empty index with its files in a new folder below {@code parent}. */
  HnswIndex(Path parent) {
    try {
      Files.createDirectories(parent);
      folder = Files.createTempDirectory(parent, "vectors-");
      directory = new MMapDirectory(folder);
      writer =
          new IndexWriter(
              directory,
              new IndexWriterConfig().setRAMBufferSizeMB(BUFFER_MB).setUseCompoundFile(false));
      searchers = new SearcherManager(writer, null);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot create a vector index in " + parent, e);
    }
  }

  /** Safe for use by several threads with different keys. */
  void put(String key, float[] unit) {
    Document document = new Document();
    document.add(new StringField(KEY, key, Field.Store.NO));
    document.add(new BinaryDocValuesField(KEY, new BytesRef(key)));
    document.add(new KnnFloatVectorField(VECTOR, unit, VectorSimilarityFunction.DOT_PRODUCT));
    unchecked(() -> writer.updateDocument(new Term(KEY, key), document));
  }

  void remove(String key) {
    unchecked(() -> writer.deleteDocuments(new Term(KEY, key)));
  }

  /** Makes earlier changes visible to searches. */
  void flush() {
    unchecked(searchers::maybeRefreshBlocking);
  }

  /** Merges all graphs into one; worth its cost once, after the first load. */
  void merge() {
    unchecked(() -> {
      writer.forceMerge(1);
      searchers.maybeRefreshBlocking();
    });
  }

  /** The k nearest, best first. */
  List<Neighbour> nearest(float[] unit, int k) {
    try {
      IndexSearcher searcher = searchers.acquire();
      try {
        List<Neighbour> found = new ArrayList<>();
        for (LeafReaderContext leaf : searcher.getIndexReader().leaves()) {
          search(leaf.reader(), unit, Math.max(LEAST_FETCHED, 2 * k), found);
        }
        return found.stream().sorted(Neighbour.BEST_FIRST).limit(k).toList();
      } finally {
        searchers.release(searcher);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read the vector index", e);
    }
  }

  private static void search(LeafReader leaf, float[] unit, int fetched, List<Neighbour> found)
      throws IOException {
    AcceptDocs alive = AcceptDocs.fromLiveDocs(leaf.getLiveDocs(), leaf.maxDoc());
    for (ScoreDoc hit :
        leaf.searchNearestVectors(VECTOR, unit, fetched, alive, Integer.MAX_VALUE).scoreDocs) {
      found.add(new Neighbour(key(leaf, hit.doc), 2 * hit.score - 1));
    }
  }

  private static String key(LeafReader leaf, int doc) throws IOException {
    @Nullable BinaryDocValues keys = leaf.getBinaryDocValues(KEY);
    if (keys == null || !keys.advanceExact(doc)) {
      throw new IOException("document " + doc + " has no key");
    }
    return keys.binaryValue().utf8ToString();
  }

  @Override
  public void close() {
    unchecked(() -> {
      searchers.close();
      writer.rollback();
      directory.close();
      IOUtils.rm(folder);
    });
  }

  @FunctionalInterface
  private interface Action {
    void run() throws IOException;
  }

  private static void unchecked(Action action) {
    try {
      action.run();
    } catch (IOException e) {
      throw new UncheckedIOException("the vector index failed", e);
    }
  }
}
