package dev.abacus.deploy.simulator.truth;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Identifies the documents that a prompt quotes. Each field of a document is a unit of shingles.
 * The search takes the document with the highest weight of (rare) shingles in the prompt, removes
 * its shingles, and repeats, so that it finds all documents of a join.
 */
public final class DocumentIndex {

  /** Units with more shingles keep one in four; a chunk of 1,000 characters still has about 40. */
  private static final int LONG_UNIT = 400;

  private static final int CERTAIN_HITS = 6;
  private static final double CERTAIN_SHARE = 0.5;
  private static final int MOST_DOCUMENTS = 8;

  /** A shingle of more units is boilerplate and identifies no document. */
  private static final int MOST_UNITS = 8;

  private static final int[] NONE = {};

  /** The units (fields of documents) that contain a shingle, at most {@value #MOST_UNITS}. */
  private final Map<Long, int[]> unitsOf = new HashMap<>();

  private final List<KnownDocument> documents = new ArrayList<>();
  private final List<Unit> units = new ArrayList<>();

  private record Unit(int document, int shingles) {}

  /** A known shingle of the prompt. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Hit(int[] units, long shingle) {}

  /** Adds a document with the texts of its fields. */
  void add(KnownDocument document, List<String> texts) {
    documents.add(document);
    for (String text : texts) {
      long[] shingles = Shingles.of(text);
      Set<Long> kept = new HashSet<>();
      for (long shingle : shingles) {
        if (shingles.length <= LONG_UNIT || (shingle & (3L << 40)) == 0) {
          kept.add(shingle);
        }
      }
      int unit = units.size();
      // Boilerplate is not indexed, so it must not count as text that the prompt lacks.
      long indexed = kept.stream().filter(shingle -> index(shingle, unit)).count();
      units.add(new Unit(documents.size() - 1, (int) indexed));
    }
  }

  /** Adds a unit to those of a shingle; false if the shingle is too common. */
  private boolean index(long shingle, int unit) {
    int[] known = unitsOf.getOrDefault(shingle, NONE);
    if (known.length == MOST_UNITS) {
      return false;
    }
    int[] more = Arrays.copyOf(known, known.length + 1);
    more[known.length] = unit;
    unitsOf.put(shingle, more);
    return true;
  }

  /** The documents that the texts quote, in descending order of weight. */
  public List<Match> find(List<String> texts) {
    List<Hit> open = hits(texts);
    List<Match> found = new ArrayList<>();
    Set<Integer> seen = new HashSet<>();
    while (!open.isEmpty() && found.size() < MOST_DOCUMENTS) {
      @Nullable Integer best = heaviest(open, seen);
      if (best == null) {
        break;
      }
      int document = best;
      seen.add(document);
      Map<Integer, Integer> perUnit = distinctHits(open, document);
      if (certain(perUnit)) {
        found.add(new Match(documents.get(document), coverage(perUnit)));
        open = open.stream().filter(hit -> !quotes(hit, document)).toList();
      }
    }
    return List.copyOf(found);
  }

  private List<Hit> hits(List<String> texts) {
    List<Hit> hits = new ArrayList<>();
    for (String text : texts) {
      for (long shingle : Shingles.of(text)) {
        int[] in = unitsOf.getOrDefault(shingle, NONE);
        if (in.length > 0) {
          hits.add(new Hit(in, shingle));
        }
      }
    }
    return hits;
  }

  private @Nullable Integer heaviest(List<Hit> hits, Set<Integer> except) {
    Map<Integer, Double> weights = new HashMap<>();
    for (Hit hit : hits) {
      for (int unit : hit.units) {
        weights.merge(units.get(unit).document(), 1.0 / hit.units.length, Double::sum);
      }
    }
    @Nullable Integer best = null;
    double most = 0;
    for (Map.Entry<Integer, Double> entry : weights.entrySet()) {
      boolean tie = best != null && entry.getValue() == most && entry.getKey() < best;
      if (!except.contains(entry.getKey()) && (entry.getValue() > most || tie)) {
        best = entry.getKey();
        most = entry.getValue();
      }
    }
    return best;
  }

  private Map<Integer, Integer> distinctHits(List<Hit> hits, int document) {
    Map<Integer, Set<Long>> distinct = new HashMap<>();
    for (Hit hit : hits) {
      for (int unit : hit.units) {
        if (units.get(unit).document() == document) {
          distinct.computeIfAbsent(unit, key -> new HashSet<>()).add(hit.shingle);
        }
      }
    }
    Map<Integer, Integer> counts = new HashMap<>();
    distinct.forEach((unit, shingles) -> counts.put(unit, shingles.size()));
    return counts;
  }

  private boolean certain(Map<Integer, Integer> perUnit) {
    return perUnit.entrySet().stream()
        .anyMatch(entry ->
            entry.getValue() >= CERTAIN_HITS
                || entry.getValue() >= CERTAIN_SHARE * units.get(entry.getKey()).shingles());
  }

  private double coverage(Map<Integer, Integer> perUnit) {
    int hit = 0;
    int all = 0;
    for (Map.Entry<Integer, Integer> entry : perUnit.entrySet()) {
      hit += entry.getValue();
      all += units.get(entry.getKey()).shingles();
    }
    return all == 0 ? 0 : (double) hit / all;
  }

  private boolean quotes(Hit hit, int document) {
    for (int unit : hit.units) {
      if (units.get(unit).document() == document) {
        return true;
      }
    }
    return false;
  }

  /**
   * A document that a prompt quotes.
   *
   * @param coverage share of its text that the prompt contains, in [0, 1], over the fields that the
   *     prompt quotes at all
   */
  public record Match(KnownDocument document, double coverage) {}
}
