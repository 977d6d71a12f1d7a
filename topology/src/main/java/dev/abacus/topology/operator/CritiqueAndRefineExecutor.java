package dev.abacus.topology.operator;

import com.fasterxml.jackson.databind.JsonNode;
import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.plan.PhysicalOperator.CritiqueAndRefine;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.topology.model.ModelClient;
import dev.abacus.topology.model.ModelFailure;

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
      OperatorQuestion<A> question,
      CritiqueAndRefine technique,
      Document document,
      Document shown,
      ModelClient client)
      throws InterruptedException {
    Prompt prompt = Prompt.of(question, shown);
    return switch (StructuredCall.ask(client, technique.generator(), prompt, question)) {
      case Reply.Unanswered<A>(ModelFailure failure, Expense spent) ->
          SemanticCall.failed(technique.generator(), failure, spent);
      case Reply.Answered<A>(A draft, Expense spent) -> {
        Prompt drafted = prompt.with("draft", question.json(draft).toString());
        yield criticise(question, technique, document, drafted, client, spent);
      }
    };
  }

  private static <A> OperatorOutcome criticise(
      OperatorQuestion<A> question,
      CritiqueAndRefine technique,
      Document document,
      Prompt drafted,
      ModelClient client,
      Expense earlier)
      throws InterruptedException {
    RoleQuestion critic = new RoleQuestion(RoleQuestion.CRITIC, question);
    Prompt review = drafted.asking(critic);
    return switch (StructuredCall.ask(client, technique.critic(), review, critic)) {
      case Reply.Unanswered<JsonNode>(ModelFailure failure, Expense spent) ->
          SemanticCall.failed(technique.critic(), failure, earlier.plus(spent));
      case Reply.Answered<JsonNode>(JsonNode critique, Expense spent) -> {
        String refiner = technique.refiner();
        Prompt refine = drafted.with("critique", critique.textValue()).step(REFINE);
        Reply<A> refined = StructuredCall.ask(client, refiner, refine, question);
        yield SemanticCall.conclude(question, document, refiner, earlier.plus(spent), refined);
      }
    };
  }
}
