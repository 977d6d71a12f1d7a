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
 * The score of what a model wrote: a map's fields, or those of a semantic aggregate. With a metric
 * for the operator, all labelled fields together; otherwise the mean over the labelled fields, each
 * by its own metric, or by {@code f1} for lists and {@code exact} for everything else. A field
 * whose metric is {@code judge} needs no label; the judge is asked once about the whole output, and
 * its word counts for each of them.
 */
record WrittenScore(List<Field> fields, SampleTask task, JsonNode output, JudgeCall judge) {

  Score score() throws InterruptedException {
    JsonNode label = task.label();
    if (label != null && !Values.isNothing(label) && !label.isObject()) {
      return Score.unknown(
          "the label of '%s' is no dictionary of fields".formatted(task.operator().id()), 0);
    }
    QualityMetric together = task.metrics().get(task.operator().id());
    if (together instanceof QualityMetric.Judge) {
      return Scorer.judged(judge);
    }
    return together == null ? fieldByField() : allTogether(together);
  }

  private Score allTogether(QualityMetric metric) throws InterruptedException {
    List<Pair> labelled = new ArrayList<>();
    for (Field field : fields) {
      if (isLabelled(field)) {
        labelled.add(pair(field));
      }
    }
    return labelled.isEmpty()
        ? Scorer.judged(judge)
        : Score.known(FieldMetrics.of(metric, labelled), ScoredBy.LABEL, 0);
  }

  private Score fieldByField() throws InterruptedException {
    double sum = 0;
    int compared = 0;
    int left = 0;
    for (Field field : fields) {
      QualityMetric metric = metric(field);
      if (metric instanceof QualityMetric.Judge) {
        left++;
      } else if (isLabelled(field)) {
        sum += FieldMetrics.of(metric, List.of(pair(field)));
        compared++;
      }
    }
    if (compared == 0) {
      return Scorer.judged(judge);
    }
    if (left == 0) {
      return Score.known(sum / compared, ScoredBy.LABEL, 0);
    }
    Score judged = Scorer.judged(judge);
    Double quality = judged.quality();
    return quality == null
        ? judged
        : Score.known(
            (sum + left * quality) / (compared + left), ScoredBy.JUDGE, judged.judgeCost());
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
