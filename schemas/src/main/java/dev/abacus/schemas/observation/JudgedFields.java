package dev.abacus.schemas.observation;

import com.fasterxml.jackson.databind.JsonNode;
import dev.abacus.schemas.program.Aggregate;
import dev.abacus.schemas.program.EntityResolution;
import dev.abacus.schemas.program.Field;
import dev.abacus.schemas.program.Limit;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.Merge;
import dev.abacus.schemas.program.Project;
import dev.abacus.schemas.program.QualityMetric;
import dev.abacus.schemas.program.ReferenceJoin;
import dev.abacus.schemas.program.SemanticFilter;
import dev.abacus.schemas.program.SemanticMap;
import dev.abacus.schemas.program.SemanticRank;
import dev.abacus.schemas.program.StreamJoin;
import dev.abacus.schemas.program.TopK;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The fields of a map or a semantic aggregate that the judge scores: those with the metric {@code
 * judge} and those without a label.
 */
public final class JudgedFields {

  private JudgedFields() {}

  /** The fields that a model writes; empty for other operators than maps and aggregates. */
  public static List<Field> written(LogicalOperator operator) {
    return switch (operator) {
      case SemanticMap map -> map.writes();
      case Aggregate aggregate -> aggregate.writes();
      case SemanticFilter _,
          Project _,
          TopK _,
          SemanticRank _,
          EntityResolution _,
          ReferenceJoin _,
          StreamJoin _,
          Merge _,
          Limit _ ->
          List.of();
    };
  }

  /**
   * The fields that the judge scores, in the order of the operator.
   *
   * @param label an object of fields, or for a one-to-many map a list of such objects; null if
   *     unknown. A list without objects labels all fields: the right output is empty
   * @param metrics those of the operator
   */
  public static List<Field> of(
      LogicalOperator operator, @Nullable JsonNode label, Map<String, QualityMetric> metrics) {
    boolean all = metrics.get(operator.id()) instanceof QualityMetric.Judge;
    return written(operator).stream()
        .filter(field ->
            all
                || metrics.get(operator.id() + "." + field.name()) instanceof QualityMetric.Judge
                || !isLabelled(field.name(), label))
        .toList();
  }

  private static boolean isLabelled(String field, @Nullable JsonNode label) {
    if (label == null || !label.isArray()) {
      return label != null && label.has(field);
    }
    boolean labelled = label.isEmpty();
    for (JsonNode row : label) {
      labelled |= row.has(field);
    }
    return labelled;
  }
}
