package dev.abacus.topology.scoring;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.abacus.schemas.observation.JudgedFields;
import dev.abacus.schemas.observation.Observation.ScoredBy;
import dev.abacus.schemas.observation.SampleTask;
import dev.abacus.schemas.program.Field;
import dev.abacus.schemas.program.FieldType;
import dev.abacus.schemas.program.QualityMetric;
import dev.abacus.topology.scoring.FieldMetrics.Pair;
import dev.abacus.topology.scoring.Scorer.JudgeCall;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The score of the fields that a map or a semantic aggregate wrote. If the operator has a metric,
 * it applies to all labelled fields together. Otherwise the score is the mean over the labelled
 * fields, each with its own metric; the default is {@code f1} for lists and {@code exact} for other
 * types. The judge scores all fields without a label or with the metric {@code judge} in one call,
 * and its score counts for each of these fields.
 *
 * @param judge prepares a call of the judge about some of the fields
 */
record FieldsScore(SampleTask task, JsonNode output, Function<List<Field>, JudgeCall> judge) {

  /** The values of some of the fields of an output. */
  static JsonNode only(JsonNode output, List<Field> fields) {
    return output instanceof ObjectNode object
        ? object.deepCopy().retain(fields.stream().map(Field::name).toList())
        : JsonNodeFactory.instance.objectNode();
  }

  Score score() throws InterruptedException {
    JsonNode label = task.label();
    if (label != null && !LabelValues.isAbsent(label) && !label.isObject()) {
      return Score.unknown(
          "the label of '%s' is not an object of fields".formatted(task.operator().id()), 0);
    }
    List<Field> compared = compared();
    return withJudge(label == null || compared.isEmpty() ? 0 : similarity(compared, output, label));
  }

  /** The fields that are compared with labels. */
  List<Field> compared() {
    List<Field> judged = judged();
    return JudgedFields.written(task.operator()).stream()
        .filter(field -> !judged.contains(field))
        .toList();
  }

  private List<Field> judged() {
    return JudgedFields.of(task.operator(), task.label(), task.metrics());
  }

  /**
   * How well the values of an output equal those of a label, in [0, 1]. Fields that the label does
   * not have are ignored.
   *
   * @param fields at least one that the label has
   */
  double similarity(List<Field> fields, JsonNode values, JsonNode label) {
    List<Field> labelled = fields.stream().filter(field -> label.has(field.name())).toList();
    QualityMetric together = metric();
    if (together != null) {
      return FieldMetrics.of(
          together, labelled.stream().map(field -> pair(field, values, label)).toList());
    }
    return labelled.stream()
        .mapToDouble(field -> FieldMetrics.of(metric(field), List.of(pair(field, values, label))))
        .average()
        .orElse(0);
  }

  /** The metric of all fields together; null if each field has its own. */
  @Nullable QualityMetric metric() {
    return task.metrics().get(task.operator().id());
  }

  private QualityMetric metric(Field field) {
    QualityMetric named = task.metrics().get(task.operator().id() + "." + field.name());
    if (named != null) {
      return named;
    }
    return field.type() instanceof FieldType.ListType
        ? new QualityMetric.SetF1()
        : new QualityMetric.Exact();
  }

  private static Pair pair(Field field, JsonNode values, JsonNode label) {
    return new Pair(
        values.path(field.name()),
        label.has(field.name()) ? label.path(field.name()) : MissingNode.getInstance());
  }

  /**
   * The mean over all fields.
   *
   * @param quality the score of the fields that are compared with labels
   */
  Score withJudge(double quality) throws InterruptedException {
    List<Field> judged = judged();
    if (judged.isEmpty()) {
      return Score.known(quality, ScoredBy.LABEL, 0);
    }
    Score judgement = judge.apply(judged).score();
    int compared = compared().size();
    Double grade = judgement.quality();
    return grade == null || compared == 0
        ? judgement
        : Score.known(
            (compared * quality + judged.size() * grade) / (compared + judged.size()),
            ScoredBy.JUDGE,
            judgement.judgeCost());
  }
}
