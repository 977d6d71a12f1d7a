package dev.abacus.topology.operator.technique;

import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.observation.Evidence;
import dev.abacus.schemas.plan.ConditionByCondition;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.SemanticFilter;
import dev.abacus.topology.model.ModelClient;
import dev.abacus.topology.model.ModelFailure;
import dev.abacus.topology.operator.ExecutionStats;
import dev.abacus.topology.operator.OperatorExecutor;
import dev.abacus.topology.operator.OperatorOutcome;
import dev.abacus.topology.operator.prompt.DocumentMessage;
import dev.abacus.topology.operator.prompt.FilterPrompt;
import dev.abacus.topology.operator.prompt.Prompt;
import dev.abacus.topology.operator.prompt.PromptTemplate;
import dev.abacus.topology.operator.prompt.StructuredAnswer;
import java.util.ArrayList;
import java.util.List;

/**
 * Asks for the conditions of a conjunctive filter one by one, until one does not hold.
 *
 * <pre>
 *   document ──► condition 1 ──yes──► condition 2 ──yes──► kept
 *                     └──no──► dropped     └──no──► dropped
 * </pre>
 *
 * <p>The condition follows the document and is not in the system message: all calls about one
 * document have the same beginning, which endpoints cache.
 *
 * <p>The answer to each condition is evidence: it shows what a filter of this condition alone would
 * do.
 */
final class ConditionByConditionExecutor implements OperatorExecutor<ConditionByCondition> {

  private static final PromptTemplate SYSTEM =
      PromptTemplate.of(ConditionByConditionExecutor.class, "condition.txt");

  @Override
  public OperatorOutcome execute(
      LogicalOperator operator,
      ConditionByCondition technique,
      Document document,
      ModelClient client)
      throws InterruptedException {
    if (!(operator instanceof SemanticFilter filter)) {
      return OperatorOutcome.Failed.unusablePlan(
          "%s does not make sense for the %s '%s'"
              .formatted(technique.id(), operator.kind(), operator.id()));
    }
    return SemanticCall.run(
        operator, document, client, call -> run(call, filter, technique.model()));
  }

  private static OperatorOutcome run(SemanticCall<?> call, SemanticFilter filter, String model)
      throws InterruptedException {
    ExecutionStats stats = ExecutionStats.NONE;
    List<Evidence.Condition> answers = new ArrayList<>();
    Prompt<Boolean> prompt =
        new Prompt<>(SYSTEM.text(), DocumentMessage.of(call.input()), FilterPrompt.DECISION);
    for (String condition : filter.conditions()) {
      StructuredAnswer<Boolean> answer = call.ask(model, prompt.section("condition", condition));
      stats = stats.plus(answer.stats());
      switch (answer) {
        case StructuredAnswer.Failed<Boolean>(ModelFailure failure, ExecutionStats _) -> {
          return OperatorOutcome.Failed.ofModel(model, failure, stats);
        }
        case StructuredAnswer.Valid<Boolean>(Boolean holds, ExecutionStats own) -> {
          answers.add(new Evidence.Condition(holds, own.cost(), own.latency()));
          if (!holds) {
            return new OperatorOutcome.Dropped(stats, new Evidence.Conditions(answers));
          }
        }
      }
    }
    return new OperatorOutcome.Kept(
        List.of(call.document()), stats, new Evidence.Conditions(answers));
  }
}
