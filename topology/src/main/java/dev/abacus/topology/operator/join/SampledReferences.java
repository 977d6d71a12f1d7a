package dev.abacus.topology.operator.join;

import com.fasterxml.jackson.databind.JsonNode;
import dev.abacus.topology.model.Embedding;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * References for a sample: a join compares a subset of the items.
 *
 * <p>Samples cover both sides of a join (paper, section 3.2). Each example is paired with all items
 * that its label names, and with random others. The random items differ between examples, but not
 * between implementations, so that comparisons of implementations are paired. The weight of a
 * random item is the number of items that are not in the label, divided by the number drawn. Cost
 * and latency, summed with these weights, are estimates for the whole reference.
 */
public final class SampledReferences implements References {

  /** The number of pairs of a sample; more only if the label names more items. */
  static final int PAIRS = 24;

  /** The minimum number of random items, whatever the size of the label. */
  private static final int MIN_DRAWN = 8;

  private final References whole;
  private final @Nullable Set<String> matches;
  private final long seed;

  /**
   * The references of one sample.
   *
   * @param label the keys of the matching items; null if unknown
   * @param example the id of the example, which seeds the random choice
   */
  public SampledReferences(References whole, @Nullable JsonNode label, String example) {
    this.whole = whole;
    this.matches = label == null || label.isNull() ? null : keys(label);
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
    for (Candidate candidate : view.candidates()) {
      if (isMatch(candidate, view.keyField())) {
        drawn.add(new Candidate(candidate.item(), Double.NaN, 1, true));
      } else {
        others.add(candidate);
      }
    }
    int population = others.size();
    int wanted = Math.min(population, Math.max(MIN_DRAWN, PAIRS - drawn.size()));
    Collections.shuffle(others, new Random(seed));
    @Nullable Boolean label = matches == null ? null : Boolean.FALSE;
    for (Candidate other : others.subList(0, wanted)) {
      drawn.add(new Candidate(other.item(), Double.NaN, (double) population / wanted, label));
    }
    Map<String, Candidate> sorted = new TreeMap<>();
    drawn.forEach(candidate -> sorted.put(candidate.item().id(), candidate));
    return List.copyOf(sorted.values());
  }

  private boolean isMatch(Candidate candidate, String keyField) {
    return matches != null
        && matches.contains(ReferenceItem.key(candidate.item().document().toJson(), keyField));
  }

  /** A view with a subset of the candidates of joins. */
  private final class Sampled implements ReferenceView {
    private final ReferenceView view;

    Sampled(ReferenceView view) {
      this.view = view;
    }

    @Override
    public String name() {
      return view.name();
    }

    @Override
    public String keyField() {
      return view.keyField();
    }

    @Override
    public int size() {
      return view.size();
    }

    @Override
    public @Nullable String obstacle(String embedder, int dimensions) {
      return view.obstacle(embedder, dimensions);
    }

    @Override
    public List<Candidate> nearest(String embedder, Embedding query, int k) {
      return view.nearest(embedder, query, k);
    }

    @Override
    public List<Candidate> candidates() {
      return draw(view);
    }

    /** Keeps dissimilar items too: their labels are evidence for the threshold. */
    @Override
    public List<Candidate> candidates(String embedder, Embedding query, double least) {
      Map<String, Double> similarities = new HashMap<>();
      for (Candidate candidate : view.candidates(embedder, query, -2)) {
        similarities.put(candidate.item().id(), candidate.similarity());
      }
      return draw(view).stream()
          .filter(candidate -> similarities.containsKey(candidate.item().id()))
          .map(candidate ->
              candidate.withSimilarity(
                  similarities.getOrDefault(candidate.item().id(), Double.NaN)))
          .toList();
    }
  }
}
