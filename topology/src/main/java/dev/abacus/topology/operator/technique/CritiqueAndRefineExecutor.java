package dev.abacus.topology.operator.technique;

import com.fasterxml.jackson.databind.JsonNode;
import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.plan.CritiqueAndRefine;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.topology.model.ModelClient;
import dev.abacus.topology.model.ModelFailure;
import dev.abacus.topology.operator.ExecutionStats;
import dev.abacus.topology.operator.OperatorExecutor;
import dev.abacus.topology.operator.OperatorOutcome;
import dev.abacus.topology.operator.prompt.Prompt;
import dev.abacus.topology.operator.prompt.PromptTemplate;
import dev.abacus.topology.operator.prompt.StructuredAnswer;

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
final class CritiqueAndRefineExecutor implements OperatorExecutor<CritiqueAndRefine> {

  private static final PromptTemplate REFINE =
      PromptTemplate.of(CritiqueAndRefineExecutor.class, "refine.txt");

  @Override
  public OperatorOutcome execute(
      LogicalOperator operator, CritiqueAndRefine technique, Document document, ModelClient client)
      throws InterruptedException {
    return SemanticCall.run(operator, document, client, call -> run(call, technique));
  }

  private static <A> OperatorOutcome run(SemanticCall<A> call, CritiqueAndRefine technique)
      throws InterruptedException {
    Prompt<A> prompt = call.prompt();
    return switch (call.ask(technique.generator(), prompt)) {
      case StructuredAnswer.Failed<A>(ModelFailure failure, ExecutionStats stats) ->
          OperatorOutcome.Failed.ofModel(technique.generator(), failure, stats);
      case StructuredAnswer.Valid<A>(A draft, ExecutionStats stats) -> {
        Prompt<A> drafted = prompt.section("draft", call.operator().json(draft).toString());
        yield refine(call, technique, drafted, stats);
      }
    };
  }

  private static <A> OperatorOutcome refine(
      SemanticCall<A> call, CritiqueAndRefine technique, Prompt<A> drafted, ExecutionStats earlier)
      throws InterruptedException {
    Prompt<JsonNode> review = Role.CRITIC.prompt(call.operator(), drafted);
    StructuredAnswer<JsonNode> reviewed = call.ask(technique.critic(), review).after(earlier);
    return switch (reviewed) {
      case StructuredAnswer.Failed<JsonNode>(ModelFailure failure, ExecutionStats stats) ->
          OperatorOutcome.Failed.ofModel(technique.critic(), failure, stats);
      case StructuredAnswer.Valid<JsonNode>(JsonNode critique, ExecutionStats stats) -> {
        Prompt<A> refine = drafted.section("critique", critique.textValue()).append(REFINE.text());
        yield call.outcome(technique.refiner(), call.ask(technique.refiner(), refine).after(stats));
      }
    };
  }
}
