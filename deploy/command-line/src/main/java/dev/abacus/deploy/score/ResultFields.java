package dev.abacus.deploy.score;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.observation.JudgedFields;
import dev.abacus.schemas.program.Aggregate;
import dev.abacus.schemas.program.Field;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.Program;
import dev.abacus.schemas.program.QualityMetric;
import dev.abacus.schemas.program.SemanticMap;
import dev.abacus.schemas.program.SemanticRank;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * What the fields of results tell about operators.
 *
 * @param names of the fields of all results
 */
record ResultFields(Program program, Set<String> names) {

  static ResultFields of(Program program, Collection<List<ObjectNode>> results) {
    Set<String> names = new HashSet<>();
    for (List<ObjectNode> outputs : results) {
      outputs.forEach(output -> output.fieldNames().forEachRemaining(names::add));
    }
    return new ResultFields(program, names);
  }

  /** Whether results have a field as an operator wrote it. */
  boolean isVisible(LogicalOperator operator, String field) {
    return names.contains(field) && !new ProgramFlow(program).isReplaced(operator, field);
  }

  /**
   * The operator with only those of its fields that are compared with the label; null if nothing is
   * compared.
   */
  @Nullable LogicalOperator labelled(LogicalOperator operator, JsonNode label) {
    if (label.isMissingNode() || label.isNull()) {
      return null;
    }
    List<Field> judged = JudgedFields.of(operator, label, program.validation().metrics());
    List<Field> compared =
        JudgedFields.written(operator).stream()
            .filter(field -> !judged.contains(field) && isVisible(operator, field.name()))
            .toList();
    return switch (operator) {
      case SemanticMap map -> compared.isEmpty() ? null : map.withWrites(compared);
      case Aggregate aggregate -> compared.isEmpty() ? null : aggregate.withWrites(compared);
      case LogicalOperator other -> other;
    };
  }

  /** Whether results have the list that a rank orders. */
  boolean isListed(SemanticRank rank) {
    return !rank.items().equals(rank.writes()) && names.contains(rank.items());
  }

  /** A result as the input of the operator, with the list that a rank orders. */
  Document input(LogicalOperator operator, JsonNode label, Document output) {
    if (!(operator instanceof SemanticRank rank) || (isListed(rank) && output.has(rank.items()))) {
      return output;
    }
    ArrayNode labelled = JsonNodeFactory.instance.arrayNode();
    if (label.isObject()) {
      label.fieldNames().forEachRemaining(labelled::add);
    } else {
      label.forEach(labelled::add);
    }
    return output.with(rank.items(), labelled);
  }

  /** The name of the metric that the scorer uses. */
  String metric(LogicalOperator operator) {
    Map<String, QualityMetric> metrics = program.validation().metrics();
    QualityMetric together = metrics.get(operator.id());
    if (together != null) {
      return together.label();
    }
    if (operator instanceof SemanticRank rank) {
      return new QualityMetric.Ndcg(rank.k()).label();
    }
    List<Field> written = JudgedFields.written(operator);
    if (written.isEmpty()) {
      return new QualityMetric.SetF1().label();
    }
    Set<String> used = new TreeSet<>();
    for (Field field : written) {
      QualityMetric metric = metrics.get(operator.id() + "." + field.name());
      if (metric != null
          && !(metric instanceof QualityMetric.Judge)
          && isVisible(operator, field.name())) {
        used.add(metric.label());
      }
    }
    return used.isEmpty() ? "f1 of lists, exact else" : String.join(", ", used);
  }
}
