package dev.abacus.optimizer.estimate;

import dev.abacus.schemas.control.CacheCounts;
import dev.abacus.schemas.observation.Selection;
import dev.abacus.schemas.observation.ValidationExample;
import dev.abacus.schemas.plan.PhysicalOperator;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.QualityMetric;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.IntToDoubleFunction;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What is known of an operator and its live documents beside the {@link Evidence}.
 *
 * @param metric of its score; null for the usual one
 * @param examples all validation examples
 * @param sizes of examples and live documents
 * @param upstream ids of the operators and sources upstream
 * @param documentsPerCall expected number of live documents that share a call, by the largest
 *     number
 * @param caches what prompt caches took off live documents, by implementation that was active
 * @param stored what the answer store leaves of an implementation
 * @param judged by implementation, its id without service tiers: what the judge said of its
 *     labelled and live outputs
 */
@RecordBuilder
public record OperatorContext(
    LogicalOperator operator,
    @Nullable QualityMetric metric,
    Collection<ValidationExample> examples,
    DocumentSizes sizes,
    Set<String> upstream,
    IntToDoubleFunction documentsPerCall,
    Map<String, CacheCounts> caches,
    Function<PhysicalOperator, StoredAnswers.Remainder> stored,
    Map<String, JudgedOutputs> judged)
    implements OperatorContextBuilder.With {

  public OperatorContext {
    examples = List.copyOf(examples);
    upstream = Set.copyOf(upstream);
    caches = Map.copyOf(caches);
    judged = Map.copyOf(judged);
  }

  /**
   * Ids of the examples whose label was chosen because of the answers. Such labels are more often
   * those of wrong answers, so their mean score does not tell by how much the judge's is too high.
   */
  Set<String> chosenLabels() {
    return examples.stream()
        .filter(example -> example.selected() == Selection.LABEL)
        .map(ValidationExample::id)
        .collect(Collectors.toSet());
  }

  /** Whether the estimate is a mean of scores, so that {@link JudgedOutputs} tell about it. */
  public boolean isMean() {
    return Estimator.of(this, List.of()) instanceof MeanScore;
  }
}
