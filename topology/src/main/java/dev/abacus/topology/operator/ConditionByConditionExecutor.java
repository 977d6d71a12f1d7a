package dev.abacus.topology.operator;

import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.observation.Evidence;
import dev.abacus.schemas.plan.PhysicalOperator.ConditionByCondition;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.SemanticFilter;
import dev.abacus.topology.model.ModelClient;
import dev.abacus.topology.model.ModelFailure;
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
    Expense expense = Expense.NONE;
    List<Evidence.Condition> asked = new ArrayList<>();
    Prompt prompt = Prompt.of(ConditionQuestion.THE_ONE_BELOW, shown);
    for (String condition : filter.conditions()) {
      Reply<Boolean> reply =
          StructuredCall.ask(
              client, model, prompt.with("condition", condition), ConditionQuestion.THE_ONE_BELOW);
      expense = expense.plus(reply.expense());
      switch (reply) {
        case Reply.Unanswered<Boolean>(ModelFailure failure, Expense _) -> {
          return SemanticCall.failed(model, failure, expense);
        }
        case Reply.Answered<Boolean>(Boolean holds, Expense own) -> {
          asked.add(new Evidence.Condition(holds, own.cost(), own.latency()));
          if (!holds) {
            return new OperatorOutcome.Dropped(expense, new Evidence.Conditions(asked));
          }
        }
      }
    }
    return new OperatorOutcome.Kept(List.of(document), expense, new Evidence.Conditions(asked));
  }
}
