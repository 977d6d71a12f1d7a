package dev.abacus.topology.scoring;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.program.Field;
import dev.abacus.schemas.program.QualityMetric;
import dev.abacus.topology.operator.OperatorOutcome;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The score of the outputs (rows) of a one-to-many map. Each row is compared with each row of the
 * label; then rows are matched one to one, so that the sum of the similarities is largest:
 *
 * <pre>
 *   precision = sum / rows,  recall = sum / rows of the label,  F1 = 2 · sum / (rows + rows of the label)
 * </pre>
 *
 * <p>The similarity of two rows is the score of a map that writes one row ({@link FieldsScore}).
 * The score is F1, or precision or recall if that is the metric of the operator; {@code
 * rank-precision@k} compares the first k rows only.
 *
 * @param rows the fields that the map wrote
 */
record RowsScore(FieldsScore fields, List<ObjectNode> rows) {

  /** The rows of an outcome. */
  static List<ObjectNode> rows(List<Field> written, OperatorOutcome outcome) {
    List<String> names = written.stream().map(Field::name).toList();
    return outcome instanceof OperatorOutcome.Kept kept
        ? kept.documents().stream().map(row -> row.only(names)).map(Document::toJson).toList()
        : List.of();
  }

  Score score() throws InterruptedException {
    JsonNode label = fields.task().label();
    if (label == null || LabelValues.isAbsent(label)) {
      return fields.withJudge(0);
    }
    List<ObjectNode> wanted = wanted(label);
    if (wanted == null) {
      return Score.unknown(
          "the label of '%s' is not a list of outputs".formatted(fields.task().operator().id()), 0);
    }
    List<Field> compared = fields.compared();
    return fields.withJudge(compared.isEmpty() ? 0 : compare(compared, wanted));
  }

  /** The rows of a label: a list of objects, or an object with one list per field. */
  private static @Nullable List<ObjectNode> wanted(JsonNode label) {
    List<ObjectNode> wanted = new ArrayList<>();
    if (label.isArray()) {
      for (JsonNode row : label) {
        if (!(row instanceof ObjectNode object)) {
          return null;
        }
        wanted.add(object);
      }
      return wanted;
    }
    if (!label.isObject()) {
      return null;
    }
    for (Map.Entry<String, JsonNode> column : label.properties()) {
      List<JsonNode> values = LabelValues.list(column.getValue());
      for (int i = 0; i < values.size(); i++) {
        if (i == wanted.size()) {
          wanted.add(JsonNodeFactory.instance.objectNode());
        }
        wanted.get(i).set(column.getKey(), values.get(i));
      }
    }
    return wanted;
  }

  private double compare(List<Field> compared, List<ObjectNode> wanted) {
    QualityMetric metric = fields.metric();
    int first = metric instanceof QualityMetric.RankPrecision(int k) ? k : rows.size();
    List<ObjectNode> found = rows.subList(0, Math.min(first, rows.size()));
    double sum = found.isEmpty() || wanted.isEmpty() ? 0 : matched(compared, found, wanted);
    return switch (metric) {
      case QualityMetric.Precision _ -> ratio(sum, found.size(), wanted.isEmpty());
      case QualityMetric.Recall _ -> ratio(sum, wanted.size(), true);
      case QualityMetric.RankPrecision(int k) ->
          ratio(sum, Math.min(k, wanted.size()), found.isEmpty());
      case null -> ratio(2 * sum, found.size() + wanted.size(), true);
      case QualityMetric _ -> ratio(2 * sum, found.size() + wanted.size(), true);
    };
  }

  /** A ratio of nothing to nothing is 1 if nothing was to be found, else 0. */
  private static double ratio(double sum, int all, boolean nothingToFind) {
    return all == 0 ? (nothingToFind ? 1 : 0) : Math.min(1, sum / all);
  }

  private double matched(List<Field> compared, List<ObjectNode> found, List<ObjectNode> wanted) {
    double[][] similarity = new double[found.size()][wanted.size()];
    for (int i = 0; i < found.size(); i++) {
      for (int j = 0; j < wanted.size(); j++) {
        similarity[i][j] = fields.similarity(compared, found.get(i), wanted.get(j));
      }
    }
    return Assignment.largestSum(similarity);
  }
}
