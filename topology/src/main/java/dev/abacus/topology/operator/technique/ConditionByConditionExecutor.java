package dev.abacus.topology.operator.technique;

import dev.abacus.schemas.observation.Evidence;
import dev.abacus.schemas.plan.ConditionByCondition;
import dev.abacus.schemas.program.SemanticFilter;
import dev.abacus.topology.operator.OperatorFailedException;
import dev.abacus.topology.operator.OperatorOutcome;
import dev.abacus.topology.operator.prompt.DocumentMessage;
import dev.abacus.topology.operator.prompt.Execution;
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
final class ConditionByConditionExecutor {

  private static final PromptTemplate SYSTEM =
      PromptTemplate.of(ConditionByConditionExecutor.class, "condition.txt");

  private ConditionByConditionExecutor() {}

  static <A> OperatorOutcome run(SemanticCall<A> call, ConditionByCondition technique)
      throws InterruptedException, OperatorFailedException {
    if (!(call.logical() instanceof SemanticFilter filter)) {
      throw OperatorFailedException.unusablePlan(
          "%s does not make sense for the %s '%s'"
              .formatted(technique.id(), call.logical().kind(), call.logical().id()));
    }
    Execution execution = call.execution();
    List<Evidence.Condition> answers = new ArrayList<>();
    Prompt<Boolean> prompt =
        new Prompt<>(SYSTEM.text(), DocumentMessage.of(call.input()), FilterPrompt.DECISION);
    for (String condition : filter.conditions()) {
      StructuredAnswer<Boolean> answer =
          execution.attempt(technique.model(), prompt.section("condition", condition));
      boolean holds = Execution.valid(technique.model(), answer);
      answers.add(new Evidence.Condition(holds, answer.stats().cost(), answer.stats().latency()));
      if (!holds) {
        return new OperatorOutcome.Dropped(execution.stats(), new Evidence.Conditions(answers));
      }
    }
    return new OperatorOutcome.Kept(
        List.of(call.execution().document()), execution.stats(), new Evidence.Conditions(answers));
  }
}
