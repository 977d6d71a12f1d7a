package dev.abacus.optimizer.loop.state;

import dev.abacus.schemas.control.SourceSize;
import dev.abacus.schemas.observation.ValidationExample;
import java.util.Collection;
import java.util.DoubleSummaryStatistics;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The size of live documents by source. A decision uses the size of the latest change of the
 * expected size by more than {@link #CHANGE}, so that it is not made anew with each report, nor if
 * live documents are as long as the examples.
 */
final class LiveSizes {

  /** Relative change of the mean size that counts. */
  private static final double CHANGE = 0.05;

  /** Before this many documents, their mean size says little. */
  private static final int LEAST_DOCUMENTS = 20;

  /** The most documents that the validation examples count as in the expected size. */
  private static final int EXAMPLES = 50;

  private Map<String, SourceSize> used = Map.of();

  /**
   * Takes the present sizes; returns whether {@link #bySource} has changed.
   *
   * @param reported by source, over all instances
   */
  boolean update(Map<String, SourceSize> reported, Collection<ValidationExample> examples) {
    if (reported.isEmpty()) {
      return false;
    }
    Map<String, SourceSize> sums = new HashMap<>(reported);
    sums.values().removeIf(size -> size.documents() < LEAST_DOCUMENTS);
    Map<String, DoubleSummaryStatistics> lengths = bySource(examples);
    if (sums.values().stream().noneMatch(size -> isNew(size, lengths.get(size.source())))) {
      return false;
    }
    used = Map.copyOf(sums);
    return true;
  }

  private boolean isNew(SourceSize size, @Nullable DoubleSummaryStatistics examples) {
    return examples != null
        && examples.getAverage() > 0
        && Math.abs(expected(examples, size) / expected(examples, used.get(size.source())) - 1)
            > CHANGE;
  }

  /** Text lengths of the examples, by source. */
  static Map<String, DoubleSummaryStatistics> bySource(Collection<ValidationExample> examples) {
    return examples.stream()
        .collect(
            Collectors.groupingBy(
                ValidationExample::source,
                Collectors.summarizingDouble(example -> example.document().textLength())));
  }

  /**
   * The expected size of a live document. Live documents replace the examples as they come: the
   * examples count as at most {@link #EXAMPLES} documents.
   *
   * @param live null if no size is known
   */
  static double expected(DoubleSummaryStatistics examples, @Nullable SourceSize live) {
    double weight = Math.min(EXAMPLES, examples.getCount());
    return live == null
        ? examples.getAverage()
        : (weight * examples.getAverage() + live.characters()) / (weight + live.documents());
  }

  /**
   * The relative standard errors of the {@linkplain #expected expected sizes}, by source: that of a
   * mean of documents whose lengths scatter as those of the examples. 0 with a single example.
   */
  static Map<String, Double> errors(
      Collection<ValidationExample> examples, Map<String, SourceSize> live) {
    Map<String, Double> errors = new HashMap<>();
    bySource(examples)
        .forEach((source, lengths) -> {
          SourceSize size = live.get(source);
          double documents =
              size == null
                  ? lengths.getCount()
                  : Math.min(EXAMPLES, lengths.getCount()) + size.documents();
          double squares =
              examples.stream()
                  .filter(example -> example.source().equals(source))
                  .mapToDouble(example -> example.document().textLength() - lengths.getAverage())
                  .map(difference -> difference * difference)
                  .sum();
          if (lengths.getCount() > 1 && lengths.getAverage() > 0) {
            double variance = squares / (lengths.getCount() - 1);
            errors.put(source, Math.sqrt(variance / documents) / lengths.getAverage());
          }
        });
    return errors;
  }

  /** The documents that decisions count with, by source. */
  Map<String, SourceSize> bySource() {
    return used;
  }
}
