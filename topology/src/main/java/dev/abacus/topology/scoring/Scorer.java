package dev.abacus.topology.scoring;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.observation.Observation.ScoredBy;
import dev.abacus.schemas.observation.SampleTask;
import dev.abacus.schemas.program.Aggregate;
import dev.abacus.schemas.program.Field;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.ReferenceJoin;
import dev.abacus.schemas.program.SemanticFilter;
import dev.abacus.schemas.program.SemanticMap;
import dev.abacus.schemas.program.StreamJoin;
import dev.abacus.schemas.program.TopK;
import dev.abacus.topology.model.ModelClient;
import dev.abacus.topology.operator.OperatorOutcome;
import dev.abacus.topology.operator.join.ReferenceView;
import dev.abacus.topology.operator.join.References;
import dev.abacus.topology.operator.join.StreamPair;
import dev.abacus.topology.operator.prompt.OperatorPrompt;
import java.util.List;
import java.util.Objects;

/**
 * Scores what an operator made of a sample: against its label where there is one, by the judge
 * where there is none or the metric says so. A failure is 0 without asking anybody. What can be
 * scored by neither is unknown, never 0 and never 1.
 */
public final class Scorer {

  private final Judge judge;

  /** A scorer with this judge. */
  public Scorer(Judge judge) {
    this.judge = judge;
  }

  /**
   * Scores an outcome.
   *
   * @param task the operator, its implementation and input, the label, metrics and judge
   * @param outcome what came of it
   * @param client for the judge
   * @throws InterruptedException if the thread is interrupted while the judge is asked
   */
  public Score score(SampleTask task, OperatorOutcome outcome, ModelClient client)
      throws InterruptedException {
    return score(task, outcome, client, References.NONE);
  }

  /**
   * As {@link #score(SampleTask, OperatorOutcome, ModelClient)}, for operators that look into
   * references too.
   */
  public Score score(
      SampleTask task, OperatorOutcome outcome, ModelClient client, References references)
      throws InterruptedException {
    if (outcome instanceof OperatorOutcome.Failed failed) {
      return new Score(0.0, ScoredBy.FAILURE, 0, failed.failure().message());
    }
    return switch (task.operator()) {
      case SemanticFilter filter -> {
        JudgeCall call = call(task, JudgePrompt.of(filter), outcome, client);
        yield DecisionScore.of(task, outcome, call);
      }
      case SemanticMap map -> {
        JudgeCall call = call(task, JudgePrompt.of(map), outcome, client);
        JsonNode output = Objects.requireNonNull(OperatorPrompt.of(map)).output(outcome);
        yield output == null
            ? Score.unknown("map '" + map.id() + "' dropped its input", 0)
            : new WrittenScore(map.writes(), task, output, call).score();
      }
      case Aggregate aggregate when aggregate.isSemantic() -> {
        JsonNode output = written(aggregate, outcome);
        JudgeCall call = call(task, JudgePrompt.of(aggregate), task.input(), output, client);
        yield new WrittenScore(aggregate.writes(), task, output, call).score();
      }
      case StreamJoin join when join.isSemantic() -> {
        JsonNode decision =
            JsonNodeFactory.instance
                .objectNode()
                .put("satisfied", outcome instanceof OperatorOutcome.Kept);
        JudgeCall call =
            call(
                task, JudgePrompt.of(join), StreamPair.shown(join, task.input()), decision, client);
        yield DecisionScore.of(task, outcome, call);
      }
      case TopK topK -> {
        JsonNode items = ItemsScore.items(outcome, topK.writes());
        JudgeCall call =
            call(
                task,
                JudgePrompt.of(topK),
                OperatorPrompt.input(topK, task.input()),
                items,
                client);
        yield ItemsScore.of(topK, task, items, context(references, topK.from(), call));
      }
      case ReferenceJoin join -> {
        JsonNode items = ItemsScore.items(outcome, join.into());
        JudgeCall call =
            call(
                task,
                JudgePrompt.of(join),
                OperatorPrompt.input(join, task.input()),
                items,
                client);
        yield ItemsScore.of(join, task, items, context(references, join.with(), call));
      }
      case LogicalOperator other ->
          Score.unknown("'" + other.id() + "' is exact; there is nothing to score", 0);
    };
  }

  /** Asks the judge about this outcome, if and when it is called. */
  @FunctionalInterface
  interface JudgeCall {
    Judgement judge() throws InterruptedException;
  }

  private JudgeCall call(
      SampleTask task, JudgePrompt question, OperatorOutcome outcome, ModelClient client) {
    return () -> {
      OperatorPrompt<?> asked = Objects.requireNonNull(OperatorPrompt.of(task.operator()));
      return judge.judge(
          question,
          OperatorPrompt.input(task.operator(), task.input()),
          Objects.requireNonNull(asked.output(outcome)),
          task.judge(),
          task.physical().chatModels(),
          client);
    };
  }

  /** Asks about an output, showing so much of the input. */
  private JudgeCall call(
      SampleTask task, JudgePrompt question, Document shown, JsonNode output, ModelClient client) {
    return () ->
        judge.judge(question, shown, output, task.judge(), task.physical().chatModels(), client);
  }

  private static JsonNode written(Aggregate aggregate, OperatorOutcome outcome) {
    List<String> fields = aggregate.writes().stream().map(Field::name).toList();
    return outcome instanceof OperatorOutcome.Kept kept
        ? kept.document().only(fields).toJson()
        : JsonNodeFactory.instance.objectNode();
  }

  private static ItemsScore.Context context(References references, String name, JudgeCall call) {
    ReferenceView view = references.find(name);
    return new ItemsScore.Context(view == null ? "id" : view.keyField(), call);
  }

  /** The judge's word as a score. */
  static Score judged(JudgeCall call) throws InterruptedException {
    return switch (call.judge()) {
      case Judgement.Known(double score, double cost) -> Score.known(score, ScoredBy.JUDGE, cost);
      case Judgement.Unknown(String reason, double cost) -> Score.unknown(reason, cost);
    };
  }
}
