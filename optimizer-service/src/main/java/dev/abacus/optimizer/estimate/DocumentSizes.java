package dev.abacus.optimizer.estimate;

import dev.abacus.optimizer.estimate.RandomEffect.Kind;
import dev.abacus.schemas.control.SourceSize;
import dev.abacus.schemas.observation.ValidationExample;
import java.util.Collection;
import java.util.DoubleSummaryStatistics;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Sizes of examples and of live documents. Live documents replace the examples as they come.
 *
 * @param byExample size of an example, by id
 * @param errors relative standard error of the expected size, by source: that of a mean of
 *     documents whose lengths scatter as those of the examples; none with a single example
 */
public record DocumentSizes(Map<String, Size> byExample, Map<String, Double> errors) {

  /** The most documents that the validation examples count as in the expected size. */
  private static final int EXAMPLES = 50;

  /**
   * The size of an example.
   *
   * @param relative in units of the mean size of the examples of the same source
   * @param expected of a live document, in the same unit
   */
  public record Size(double relative, double expected) {}

  /**
   * The sizes of examples.
   *
   * @param live size of live documents, by source
   */
  public static DocumentSizes of(
      Collection<ValidationExample> examples, Map<String, SourceSize> live) {
    Map<String, DoubleSummaryStatistics> bySource = bySource(examples);
    Map<String, Size> sizes = new HashMap<>();
    for (ValidationExample example : examples) {
      DoubleSummaryStatistics source = Objects.requireNonNull(bySource.get(example.source()));
      double mean = source.getAverage();
      if (mean > 0) {
        double expected = expected(source, live.get(example.source()));
        sizes.put(example.id(), new Size(example.document().textLength() / mean, expected / mean));
      }
    }
    return new DocumentSizes(sizes, errors(examples, bySource, live));
  }

  /** Text lengths of the examples, by source. */
  public static Map<String, DoubleSummaryStatistics> bySource(
      Collection<ValidationExample> examples) {
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
  public static double expected(DoubleSummaryStatistics examples, @Nullable SourceSize live) {
    double weight = Math.min(EXAMPLES, examples.getCount());
    return live == null
        ? examples.getAverage()
        : (weight * examples.getAverage() + live.characters()) / (weight + live.documents());
  }

  private static Map<String, Double> errors(
      Collection<ValidationExample> examples,
      Map<String, DoubleSummaryStatistics> bySource,
      Map<String, SourceSize> live) {
    Map<String, Double> errors = new HashMap<>();
    bySource.forEach((source, lengths) -> {
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

  /** How many times as long live documents are as the examples in the mean, by source. */
  public static Map<String, Double> liveRatios(
      Collection<ValidationExample> examples, Map<String, SourceSize> live) {
    Map<String, Double> ratios = new TreeMap<>();
    bySource(examples)
        .forEach((source, lengths) -> {
          SourceSize size = live.get(source);
          if (size != null && lengths.getAverage() > 0) {
            ratios.put(
                source, size.characters() / (double) size.documents() / lengths.getAverage());
          }
        });
    return ratios;
  }

  /** The relative error of the size of documents from the source whose mean is known least. */
  Loadings error(Collection<String> upstream) {
    return errors.entrySet().stream()
        .filter(source -> upstream.contains(source.getKey()))
        .max(Map.Entry.comparingByValue())
        .map(source ->
            Loadings.of(new RandomEffect(Kind.SIZE, source.getKey(), ""), source.getValue()))
        .orElse(Loadings.NONE);
  }
}
