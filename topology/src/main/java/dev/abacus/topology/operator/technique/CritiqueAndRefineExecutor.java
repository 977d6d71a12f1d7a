package dev.abacus.topology.operator.technique;

import com.fasterxml.jackson.databind.JsonNode;
import dev.abacus.schemas.plan.CritiqueAndRefine;
import dev.abacus.topology.operator.OperatorFailedException;
import dev.abacus.topology.operator.OperatorOutcome;
import dev.abacus.topology.operator.prompt.Prompt;
import dev.abacus.topology.operator.prompt.PromptTemplate;

/**
 * One model answers, one criticises the answer, one corrects it (paper, section 4.1, "Critique and
 * refine").
 *
 * <pre>
 *   document ──► generator ──► draft ──► critic ──► critique ──► refiner ──► output
 *       └───────────────────────┴──────────┴────────────┴──────────┘ (each sees what came before)
 * </pre>
 *
 * <p>Generator and refiner share system message, response schema and document, which an endpoint
 * caches if they are the same model.
 */
final class CritiqueAndRefineExecutor {

  private static final PromptTemplate REFINE =
      PromptTemplate.of(CritiqueAndRefineExecutor.class, "refine.txt");

  private CritiqueAndRefineExecutor() {}

  static <A> OperatorOutcome run(SemanticCall<A> call, CritiqueAndRefine technique)
      throws InterruptedException, OperatorFailedException {
    A draft = call.ask(technique.generator(), call.prompt());
    Prompt<A> drafted = call.prompt().section("draft", call.operator().json(draft).toString());
    JsonNode critique = call.ask(technique.critic(), Role.CRITIC.prompt(call.operator(), drafted));
    Prompt<A> refine = drafted.section("critique", critique.textValue()).append(REFINE.text());
    return call.outcome(call.ask(technique.refiner(), refine));
  }
}
