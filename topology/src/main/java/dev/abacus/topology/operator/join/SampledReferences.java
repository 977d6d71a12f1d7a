package dev.abacus.topology.operator.join;

import com.fasterxml.jackson.databind.JsonNode;
import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.program.ReferenceJoin;
import dev.abacus.topology.model.Embedding;
import dev.abacus.topology.operator.OperatorFailedException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * References for a sample: a join compares a subset of the items.
 *
 * <p>Samples cover both sides of a join (paper, section 3.2). Each example is paired with all items
 * that its label names, and with others, drawn by similarity ({@link PairSampling}). The drawn
 * items differ between examples, but not between implementations, so that comparisons of
 * implementations are paired. Sums with the weights of the items are estimates for the whole
 * reference: cost, latency, numbers of matches and of errors. Searches see the whole reference;
 * what they find represents itself, and the drawn items the rest (post-stratification).
 */
public final class SampledReferences implements References {

  /** The number of pairs of a sample; more only if the label names more items. */
  public static final int PAIRS = 24;

  /** The minimum number of drawn items, whatever the size of the label. */
  private static final int MIN_DRAWN = 8;

  /** Pairs of an example without a call of a model: the most similar ones, and others at random. */
  private static final int MOST_SIMILAR = 100;

  private static final int FURTHER = 28;

  private final References whole;
  private final @Nullable Set<String> matches;
  private final @Nullable Query query;
  private final long seed;

  /**
   * The vector by which items are drawn.
   *
   * @param embedder name of the embedder
   */
  public record Query(String embedder, Embedding vector) {}

  /**
   * The references of one sample.
   *
   * @param label the keys of the matching items; null if unknown
   * @param example the id of the example, which seeds the random choice
   * @param query by which items are drawn; null for a uniform choice
   */
  public SampledReferences(
      References whole, @Nullable JsonNode label, String example, @Nullable Query query) {
    this.whole = whole;
    this.matches = label == null || label.isNull() ? null : keys(label);
    this.query = query;
    this.seed = example.hashCode();
  }

  private static Set<String> keys(JsonNode label) {
    Set<String> keys = new HashSet<>();
    if (label.isArray()) {
      label.forEach(key -> keys.add(key.asText()));
    } else {
      keys.add(label.asText());
    }
    return keys;
  }

  @Override
  public @Nullable ReferenceView find(String name) {
    ReferenceView found = whole.find(name);
    return found == null ? null : new Sampled(found);
  }

  private List<Candidate> draw(ReferenceView view) {
    List<Candidate> drawn = new ArrayList<>();
    List<Candidate> others = new ArrayList<>();
    divide(view, view.candidates(), drawn, others);
    int wanted = Math.max(MIN_DRAWN, PAIRS - drawn.size());
    drawn.addAll(PairSampling.draw(others, similarities(view), wanted, random()));
    return sorted(drawn);
  }

  /** Sets labels, and separates the items that the label names. */
  private void divide(
      ReferenceView view, List<Candidate> all, List<Candidate> named, List<Candidate> others) {
    for (Candidate candidate : all) {
      Candidate labelled = labelled(candidate, view.keyField());
      (Boolean.TRUE.equals(labelled.label()) ? named : others).add(labelled);
    }
  }

  private Candidate labelled(Candidate candidate, String keyField) {
    return candidate.withLabel(
        matches == null
            ? null
            : Boolean.valueOf(
                matches.contains(
                    ReferenceItem.key(candidate.item().document().toJson(), keyField))));
  }

  private Map<String, Double> similarities(ReferenceView view) {
    return query == null || view.obstacle(query.embedder(), query.vector().dimensions()) != null
        ? Map.of()
        : similarities(view, query.embedder(), query.vector());
  }

  private static Map<String, Double> similarities(
      ReferenceView view, String embedder, Embedding vector) {
    Map<String, Double> similarities = new HashMap<>();
    for (Candidate candidate : view.candidates(embedder, vector, -2)) {
      similarities.put(candidate.item().id(), candidate.similarity());
    }
    return similarities;
  }

  /** Unlike {@link java.util.Random}, similar seeds do not give similar choices. */
  private RandomGenerator random() {
    return new SplittableRandom(seed);
  }

  private static List<Candidate> sorted(List<Candidate> drawn) {
    return drawn.stream().sorted(Candidate.BY_ID).toList();
  }

  /** A view with a subset of the candidates of joins. */
  private final class Sampled extends ForwardingReferenceView {

    Sampled(ReferenceView view) {
      super(view);
    }

    /** Draws from the items that the document may match. */
    @Override
    public ReferenceView matchable(ReferenceJoin join, Document document)
        throws OperatorFailedException {
      return join.pairs().isNone() ? this : new Sampled(view.matchable(join, document));
    }

    @Override
    public boolean isSample() {
      return true;
    }

    @Override
    public List<Candidate> candidates() {
      return draw(view);
    }

    @Override
    public List<Candidate> representedBy(List<Candidate> matched) {
      Set<String> ids = new HashSet<>();
      matched.forEach(candidate -> ids.add(candidate.item().id()));
      List<Candidate> others = new ArrayList<>(draw(view));
      others.removeIf(candidate -> ids.contains(candidate.item().id()));
      List<Candidate> all = new ArrayList<>(PairSampling.scaled(others, view.size() - ids.size()));
      matched.forEach(candidate -> all.add(labelled(candidate, view.keyField())));
      return sorted(all);
    }

    /** Keeps dissimilar items too: they are part of the score. */
    @Override
    public List<Candidate> candidates(String embedder, Embedding vector, double least) {
      Map<String, Double> similarities = similarities(view, embedder, vector);
      return draw(view).stream()
          .filter(candidate -> similarities.containsKey(candidate.item().id()))
          .map(candidate ->
              candidate.withSimilarity(
                  similarities.getOrDefault(candidate.item().id(), Double.NaN)))
          .toList();
    }

    /**
     * All items that the label names, the most similar others, each of which represents itself, and
     * some of the rest.
     */
    @Override
    public List<Candidate> evidence(String embedder, Embedding vector) {
      List<Candidate> drawn = new ArrayList<>();
      List<Candidate> others = new ArrayList<>();
      divide(view, view.candidates(embedder, vector, -2), drawn, others);
      others.sort(SimilaritySearch.BEST_FIRST);
      int similar = Math.min(MOST_SIMILAR, others.size());
      drawn.addAll(others.subList(0, similar));
      drawn.addAll(
          PairSampling.draw(others.subList(similar, others.size()), Map.of(), FURTHER, random()));
      return sorted(drawn);
    }
  }
}
