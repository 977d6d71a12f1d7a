package dev.abacus.topology.scoring;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import dev.abacus.schemas.observation.Observation.ScoredBy;
import dev.abacus.schemas.observation.SampleTask;
import dev.abacus.schemas.program.Field;
import dev.abacus.schemas.program.FieldType;
import dev.abacus.schemas.program.QualityMetric;
import dev.abacus.topology.scoring.FieldMetrics.Pair;
import dev.abacus.topology.scoring.Scorer.JudgeCall;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The score of the fields that a map or a semantic aggregate wrote. If the operator has a metric,
 * it applies to all labelled fields together. Otherwise the score is the mean over the labelled
 * fields, each with its own metric; the default is {@code f1} for lists and {@code exact} for other
 * types. For fields with the metric {@code judge}, the judge scores the whole output once, and the
 * score counts for each of these fields.
 */
record FieldsScore(List<Field> fields, SampleTask task, JsonNode output, JudgeCall judge) {

  Score score() throws InterruptedException {
    JsonNode label = task.label();
    if (label != null && !LabelValues.isAbsent(label) && !label.isObject()) {
      return Score.unknown(
          "the label of '%s' is not an object of fields".formatted(task.operator().id()), 0);
    }
    QualityMetric metric = task.metrics().get(task.operator().id());
    if (metric instanceof QualityMetric.Judge) {
      return judge.score();
    }
    return metric == null ? meanOfFields() : together(metric);
  }

  private Score together(QualityMetric metric) throws InterruptedException {
    List<Pair> labelled = new ArrayList<>();
    for (Field field : fields) {
      if (isLabelled(field)) {
        labelled.add(pair(field));
      }
    }
    return labelled.isEmpty()
        ? judge.score()
        : Score.known(FieldMetrics.of(metric, labelled), ScoredBy.LABEL, 0);
  }

  private Score meanOfFields() throws InterruptedException {
    double sum = 0;
    int compared = 0;
    int judged = 0;
    for (Field field : fields) {
      QualityMetric metric = metric(field);
      if (metric instanceof QualityMetric.Judge) {
        judged++;
      } else if (isLabelled(field)) {
        sum += FieldMetrics.of(metric, List.of(pair(field)));
        compared++;
      }
    }
    if (compared == 0) {
      return judge.score();
    }
    if (judged == 0) {
      return Score.known(sum / compared, ScoredBy.LABEL, 0);
    }
    Score judgement = judge.score();
    Double quality = judgement.quality();
    return quality == null
        ? judgement
        : Score.known(
            (sum + judged * quality) / (compared + judged), ScoredBy.JUDGE, judgement.judgeCost());
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

  private boolean isLabelled(Field field) {
    @Nullable JsonNode label = task.label();
    return label != null && label.has(field.name());
  }

  private Pair pair(Field field) {
    @Nullable JsonNode label = task.label();
    return new Pair(
        output.path(field.name()),
        label == null ? MissingNode.getInstance() : label.path(field.name()));
  }
}
