package dev.abacus.topology.scoring;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.observation.Evidence;
import dev.abacus.schemas.observation.MatchCounts;
import dev.abacus.schemas.observation.Observation.ScoredBy;
import dev.abacus.schemas.observation.SampleTask;
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
import dev.abacus.topology.model.ModelClient;
import dev.abacus.topology.operator.OperatorFailedException;
import dev.abacus.topology.operator.OperatorFailure.ModelFailed;
import dev.abacus.topology.operator.OperatorOutcome;
import dev.abacus.topology.operator.join.ReferenceView;
import dev.abacus.topology.operator.join.References;
import dev.abacus.topology.operator.join.StreamPair;
import dev.abacus.topology.operator.prompt.AnswerFormat;
import dev.abacus.topology.operator.prompt.OperatorPrompt;
import dev.abacus.topology.operator.prompt.Prompt;
import java.util.List;
import java.util.Objects;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Scores the outcome of an operator on an example: by comparison with the label, or by the judge if
 * the label is missing or the metric is {@code judge}. A failure has quality 0. If neither is
 * possible, the quality is unknown, which counts neither as 0 nor as 1.
 */
public record Scorer(Judge judge) {

  /** Asks the judge about the output. */
  @FunctionalInterface
  interface JudgeCall {
    Judge.Judgement<Double> judge() throws InterruptedException;

    /** The judgement as a score. */
    default Score score() throws InterruptedException {
      return switch (judge()) {
        case Judge.Judgement.Known<Double>(Double score, double cost) ->
            Score.known(score, ScoredBy.JUDGE, cost);
        case Judge.Judgement.Unknown<Double>(String reason, double cost) ->
            Score.unknown(reason, cost);
        case Judge.Judgement.Unavailable<Double>(ModelFailed fault, double cost) ->
            Score.unavailable(fault, cost);
      };
    }
  }

  /** The judge, asked about the outputs of one task. */
  record TaskJudge(Judge judge, SampleTask task, ModelClient client) {

    <A> Judge.Judgement<A> ask(Prompt<A> question) throws InterruptedException {
      return judge.judge(question, task, client);
    }

    /** A call that shows the graded examples of the task. */
    JudgeCall call(JudgePrompt prompt, Document input, @Nullable JsonNode output) {
      return () ->
          ask(
              prompt
                  .showing(JudgeExamples.of(task, input))
                  .about(input, Objects.requireNonNull(output)));
    }

    JudgeCall callWithoutExamples(JudgePrompt prompt, Document input, JsonNode output) {
      return () -> ask(prompt.about(input, output));
    }
  }

  /**
   * Scores an outcome.
   *
   * @param task the operator, its implementation and input, the label, metrics and judge
   * @param outcome the outcome of the operator
   * @param client the client for calls of the judge
   * @param references the references that the operator used
   * @throws InterruptedException if the thread is interrupted while the judge is asked
   */
  public Score score(
      SampleTask task, OperatorOutcome outcome, ModelClient client, References references)
      throws InterruptedException {
    return score(task, outcome, client, references, name -> keyField(references, name));
  }

  /**
   * Scores an outcome against its label where neither a judge nor the references are at hand.
   *
   * @param keyField gives the key field of a reference by its name
   * @throws IllegalStateException if the label or a metric needs the judge
   * @throws InterruptedException if the thread is interrupted
   */
  public Score scoreByLabel(
      SampleTask task, OperatorOutcome outcome, UnaryOperator<String> keyField)
      throws InterruptedException {
    ModelClient none =
        _ -> {
          throw new IllegalStateException("'" + task.operator().id() + "' needs the judge");
        };
    return score(task, outcome, none, References.NONE, keyField);
  }

  private Score score(
      SampleTask task,
      OperatorOutcome outcome,
      ModelClient client,
      References references,
      UnaryOperator<String> keyField)
      throws InterruptedException {
    if (outcome instanceof OperatorOutcome.Failed failed) {
      return Score.failed(failed.failure().message());
    }
    LogicalOperator operator = task.operator();
    Document input = OperatorPrompt.input(operator, task.input());
    TaskJudge asked = new TaskJudge(judge, task, client);
    return switch (operator) {
      case SemanticFilter filter -> {
        boolean kept = outcome instanceof OperatorOutcome.Kept;
        // The judge would be asked about the condition in natural language only.
        JudgeCall call =
            filter.isDroppedByCode(task.input())
                ? () -> new Judge.Judgement.Known<>(kept ? 0.0 : 1.0, 0)
                : asked.call(
                    JudgePrompt.ofCondition(filter.condition()), input, output(filter, outcome));
        yield decision(task, kept, call);
      }
      case StreamJoin join when join.isSemantic() -> {
        Document pair = StreamPair.shown(join, task.input());
        JudgePrompt prompt = JudgePrompt.ofCondition(Objects.requireNonNull(join.condition()));
        JudgeCall call = asked.call(prompt, pair, output(join, outcome));
        yield decision(task, outcome instanceof OperatorOutcome.Kept, call);
      }
      case SemanticMap map -> {
        JsonNode output = output(map, outcome);
        if (output == null) {
          yield Score.unknown("map '" + map.id() + "' dropped its input", 0);
        }
        FieldsScore fields =
            new FieldsScore(
                task,
                output,
                judged -> {
                  JudgePrompt prompt = JudgePrompt.ofFields(map.instruction(), judged);
                  JsonNode graded = FieldsScore.only(output, judged);
                  // Examples are graded by all fields.
                  return judged.size() == map.writes().size()
                      ? asked.call(prompt, input, graded)
                      : asked.callWithoutExamples(prompt, input, graded);
                });
        yield map.cardinality() == SemanticMap.Cardinality.MANY
            ? new RowsScore(fields, RowsScore.rows(map.writes(), outcome)).score()
            : fields.score();
      }
      case Aggregate aggregate when aggregate.isSemantic() -> {
        JsonNode output = Objects.requireNonNull(output(aggregate, outcome));
        String instruction = Objects.requireNonNull(aggregate.instruction());
        yield new FieldsScore(
                task,
                output,
                judged ->
                    asked.call(
                        JudgePrompt.ofFields(instruction, judged),
                        task.input(),
                        FieldsScore.only(output, judged)))
            .score();
      }
      case TopK topK -> {
        ArrayNode items = ItemsScore.items(outcome, topK.writes());
        JudgeCall call = asked.call(JudgePrompt.of(topK), input, items);
        yield new ItemsScore(task, keyField.apply(topK.from()), items, call).score();
      }
      case SemanticRank rank -> {
        ArrayNode kept = ItemsScore.items(outcome, rank.writes());
        JudgeCall call = asked.call(JudgePrompt.of(rank), input, kept);
        yield new RankScore(rank, task, kept, call).score();
      }
      case EntityResolution resolution -> {
        ArrayNode items = ItemsScore.items(outcome, resolution.into());
        JsonNode item = output(resolution, outcome);
        JudgeCall call = asked.call(JudgePrompt.of(resolution), input, item);
        yield new ItemsScore(task, keyField.apply(resolution.with()), items, call).score();
      }
      case ReferenceJoin join -> {
        ReferenceView reference = matchable(join, task.input(), references);
        Evidence.Pairs pairs = MatchedPairs.of(outcome);
        QualityMetric metric = task.metrics().getOrDefault(join.id(), new QualityMetric.SetF1());
        if (reference != null && pairs != null && MatchCounts.supports(metric)) {
          yield new JoinScore(join, task, reference, input, pairs).score(metric, asked);
        }
        JudgeCall none = () -> new Judge.Judgement.Unknown<>("the pairs are unknown", 0);
        ArrayNode items = ItemsScore.items(outcome, join.into());
        yield new ItemsScore(task, keyField.apply(join.with()), items, none).score();
      }
      case StreamJoin _, Aggregate _, Project _, Merge _, Limit _ ->
          Score.unknown("'" + operator.id() + "' is exact; there is nothing to score", 0);
    };
  }

  /** The score of a decision, of a filter or about a pair: 1 if it equals the label. */
  private static Score decision(SampleTask task, boolean kept, JudgeCall judge)
      throws InterruptedException {
    String operator = task.operator().id();
    JsonNode label = task.label();
    boolean byJudge = task.metrics().get(operator) instanceof QualityMetric.Judge;
    if (byJudge || label == null || LabelValues.isAbsent(label)) {
      return judge.score();
    }
    return label.isBoolean()
        ? Score.known(kept == label.booleanValue() ? 1 : 0, ScoredBy.LABEL, 0)
        : Score.unknown(
            "the label of '%s' is %s, neither true nor false".formatted(operator, label), 0);
  }

  /** The output of an operator as the judge sees it; null if it does not grade such an output. */
  static @Nullable JsonNode output(LogicalOperator operator, OperatorOutcome outcome) {
    return switch (operator) {
      case SemanticFilter _, StreamJoin _ ->
          AnswerFormat.decisionJson(outcome instanceof OperatorOutcome.Kept);
      case SemanticMap map -> Objects.requireNonNull(OperatorPrompt.of(map)).output(outcome);
      case Aggregate aggregate -> {
        List<String> fields = aggregate.writes().stream().map(Field::name).toList();
        yield outcome instanceof OperatorOutcome.Kept kept
            ? kept.document().only(fields).toJson()
            : JsonNodeFactory.instance.objectNode();
      }
      case TopK topK -> ItemsScore.items(outcome, topK.writes());
      case SemanticRank rank -> ItemsScore.items(outcome, rank.writes());
      case EntityResolution resolution -> {
        ArrayNode items = ItemsScore.items(outcome, resolution.into());
        yield items.isEmpty() ? JsonNodeFactory.instance.nullNode() : items.get(0);
      }
      case ReferenceJoin _, Project _, Merge _, Limit _ -> null;
    };
  }

  /** The items that the join compared; null if they are not at hand. */
  private static @Nullable ReferenceView matchable(
      ReferenceJoin join, Document input, References references) {
    ReferenceView whole = references.find(join.with());
    try {
      return whole == null ? null : whole.matchable(join, input);
    } catch (OperatorFailedException e) {
      return null; // the reference has changed since; the join itself had values
    }
  }

  private static String keyField(References references, String name) {
    ReferenceView reference = references.find(name);
    return reference == null ? "id" : reference.keyField();
  }
}
