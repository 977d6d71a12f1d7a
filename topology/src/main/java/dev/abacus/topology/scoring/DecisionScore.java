package dev.abacus.topology.scoring;

import com.fasterxml.jackson.databind.JsonNode;
import dev.abacus.schemas.observation.Observation.ScoredBy;
import dev.abacus.schemas.observation.SampleTask;
import dev.abacus.schemas.program.QualityMetric;
import dev.abacus.topology.operator.OperatorOutcome;
import dev.abacus.topology.scoring.Scorer.JudgeCall;

/** The score of a decision, of a filter or about a pair: whether it agrees with the label. */
final class DecisionScore {

  private DecisionScore() {}

  static Score of(SampleTask task, OperatorOutcome outcome, JudgeCall judge)
      throws InterruptedException {
    JsonNode label = task.label();
    boolean byJudge = task.metrics().get(task.operator().id()) instanceof QualityMetric.Judge;
    if (byJudge || label == null || Values.isNothing(label)) {
      return Scorer.judged(judge);
    }
    if (!label.isBoolean()) {
      return Score.unknown(
          "the label of '%s' is %s, neither true nor false".formatted(task.operator().id(), label),
          0);
    }
    boolean kept = outcome instanceof OperatorOutcome.Kept;
    return Score.known(kept == label.booleanValue() ? 1 : 0, ScoredBy.LABEL, 0);
  }
}
