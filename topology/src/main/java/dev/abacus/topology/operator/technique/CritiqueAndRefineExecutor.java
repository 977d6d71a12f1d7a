package dev.abacus.topology.operator.technique;

import com.fasterxml.jackson.databind.JsonNode;
import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.plan.PhysicalOperator.CritiqueAndRefine;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.topology.model.ModelClient;
import dev.abacus.topology.model.ModelFailure;
import dev.abacus.topology.operator.ExecutionStats;
import dev.abacus.topology.operator.OperatorExecutor;
import dev.abacus.topology.operator.OperatorOutcome;
import dev.abacus.topology.operator.prompt.OperatorPrompt;
import dev.abacus.topology.operator.prompt.PromptMessages;
import dev.abacus.topology.operator.prompt.PromptTemplate;
import dev.abacus.topology.operator.prompt.StructuredAnswer;
import dev.abacus.topology.operator.prompt.StructuredCall;

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
      PromptTemplate.beside(CritiqueAndRefineExecutor.class, "refine.txt");

  @Override
  public OperatorOutcome execute(
      LogicalOperator operator, CritiqueAndRefine technique, Document document, ModelClient client)
      throws InterruptedException {
    return SemanticCall.with(
        operator, document, (question, shown) -> run(question, technique, document, shown, client));
  }

  private static <A> OperatorOutcome run(
      OperatorPrompt<A> question,
      CritiqueAndRefine technique,
      Document document,
      Document shown,
      ModelClient client)
      throws InterruptedException {
    PromptMessages prompt = PromptMessages.of(question, shown);
    return switch (StructuredCall.ask(client, technique.generator(), prompt, question)) {
      case StructuredAnswer.Unanswered<A>(ModelFailure failure, ExecutionStats spent) ->
          SemanticCall.failed(technique.generator(), failure, spent);
      case StructuredAnswer.Answered<A>(A draft, ExecutionStats spent) -> {
        PromptMessages drafted = prompt.with("draft", question.json(draft).toString());
        yield criticise(question, technique, document, drafted, client, spent);
      }
    };
  }

  private static <A> OperatorOutcome criticise(
      OperatorPrompt<A> question,
      CritiqueAndRefine technique,
      Document document,
      PromptMessages drafted,
      ModelClient client,
      ExecutionStats earlier)
      throws InterruptedException {
    RolePrompt critic = new RolePrompt(RolePrompt.CRITIC, question);
    PromptMessages review = drafted.asking(critic);
    return switch (StructuredCall.ask(client, technique.critic(), review, critic)) {
      case StructuredAnswer.Unanswered<JsonNode>(ModelFailure failure, ExecutionStats spent) ->
          SemanticCall.failed(technique.critic(), failure, earlier.plus(spent));
      case StructuredAnswer.Answered<JsonNode>(JsonNode critique, ExecutionStats spent) -> {
        String refiner = technique.refiner();
        PromptMessages refine = drafted.with("critique", critique.textValue()).step(REFINE);
        StructuredAnswer<A> refined = StructuredCall.ask(client, refiner, refine, question);
        yield SemanticCall.conclude(question, document, refiner, earlier.plus(spent), refined);
      }
    };
  }
}
