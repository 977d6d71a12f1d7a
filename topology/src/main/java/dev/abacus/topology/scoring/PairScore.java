package dev.abacus.topology.scoring;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.abacus.schemas.observation.SampleTask;
import dev.abacus.schemas.program.SemanticFilter;
import dev.abacus.schemas.program.StreamJoin;
import dev.abacus.topology.model.ModelClient;
import dev.abacus.topology.operator.OperatorOutcome;
import dev.abacus.topology.operator.StreamPair;
import java.util.List;
import java.util.Objects;

/**
 * The score of a join of two streams on one pair: that of a filter that keeps the pair or drops it.
 */
final class PairScore {

  private PairScore() {}

  static Score of(
      StreamJoin join, SampleTask task, OperatorOutcome outcome, Judge judge, ModelClient client)
      throws InterruptedException {
    String condition = Objects.requireNonNull(join.condition(), "the join needs no model");
    SemanticFilter filter =
        new SemanticFilter(join.id(), join.input(), List.of(condition), List.of());
    boolean kept = outcome instanceof OperatorOutcome.Kept;
    JsonNode output = JsonNodeFactory.instance.objectNode().put("satisfied", kept);
    return FilterScore.of(
        filter,
        task,
        outcome,
        () ->
            judge.judge(
                JudgeQuestion.of(filter),
                StreamPair.shown(join, task.input()),
                output,
                task.judge(),
                task.physical().chatModels(),
                client));
  }
}
