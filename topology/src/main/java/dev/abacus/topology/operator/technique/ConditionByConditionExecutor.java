package dev.abacus.topology.operator.technique;

import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.observation.Evidence;
import dev.abacus.schemas.plan.PhysicalOperator.ConditionByCondition;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.SemanticFilter;
import dev.abacus.topology.model.ModelClient;
import dev.abacus.topology.model.ModelFailure;
import dev.abacus.topology.operator.ExecutionStats;
import dev.abacus.topology.operator.OperatorExecutor;
import dev.abacus.topology.operator.OperatorOutcome;
import dev.abacus.topology.operator.prompt.PromptMessages;
import dev.abacus.topology.operator.prompt.StructuredAnswer;
import dev.abacus.topology.operator.prompt.StructuredCall;
import java.util.ArrayList;
import java.util.List;

/**
 * The conditions of a conjunctive filter one after the other, until one does not hold.
 *
 * <pre>
 *   document ──► condition 1 ──yes──► condition 2 ──yes──► kept
 *                     └──no──► dropped     └──no──► dropped
 * </pre>
 *
 * <p>Here the condition stands behind the document, not in the system message: the calls about one
 * document then begin alike, and the endpoint reads the document once, not once per condition.
 *
 * <p>What each condition came to is evidence: from it follows what a filter of its own would do.
 */
final class ConditionByConditionExecutor implements OperatorExecutor<ConditionByCondition> {

  @Override
  public OperatorOutcome execute(
      LogicalOperator operator,
      ConditionByCondition technique,
      Document document,
      ModelClient client)
      throws InterruptedException {
    if (!(operator instanceof SemanticFilter filter)) {
      return SemanticCall.unusable(operator, technique.id());
    }
    return SemanticCall.with(
        operator, document, (_, shown) -> run(filter, technique.model(), document, shown, client));
  }

  private static OperatorOutcome run(
      SemanticFilter filter, String model, Document document, Document shown, ModelClient client)
      throws InterruptedException {
    ExecutionStats stats = ExecutionStats.NONE;
    List<Evidence.Condition> asked = new ArrayList<>();
    PromptMessages prompt = PromptMessages.of(ConditionPrompt.THE_ONE_BELOW, shown);
    for (String condition : filter.conditions()) {
      StructuredAnswer<Boolean> reply =
          StructuredCall.ask(
              client, model, prompt.with("condition", condition), ConditionPrompt.THE_ONE_BELOW);
      stats = stats.plus(reply.stats());
      switch (reply) {
        case StructuredAnswer.Unanswered<Boolean>(ModelFailure failure, ExecutionStats _) -> {
          return SemanticCall.failed(model, failure, stats);
        }
        case StructuredAnswer.Answered<Boolean>(Boolean holds, ExecutionStats own) -> {
          asked.add(new Evidence.Condition(holds, own.cost(), own.latency()));
          if (!holds) {
            return new OperatorOutcome.Dropped(stats, new Evidence.Conditions(asked));
          }
        }
      }
    }
    return new OperatorOutcome.Kept(List.of(document), stats, new Evidence.Conditions(asked));
  }
}
