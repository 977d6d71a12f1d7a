package dev.abacus.topology.operator;

import com.fasterxml.jackson.databind.JsonNode;
import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.plan.PhysicalOperator.Gleaning;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.topology.model.ModelClient;
import dev.abacus.topology.model.ModelFailure;

/**
 * One model answers; another says what is missing; the first is asked again for that, until nothing
 * is missing or the rounds are over (after "gleaning" in DocETL and GraphRAG).
 *
 * <pre>
 *   document ──► model ──► answer ──► checker ──► nothing missing ──► output
 *                  ▲                     │
 *                  └────── missing ◄─────┘
 * </pre>
 *
 * <p>What a second look finds is added to what the first found; lists never lose an item by it.
 */
final class GleaningExecutor implements OperatorExecutor<Gleaning> {

  private static final PromptTemplate GLEAN =
      PromptTemplate.beside(GleaningExecutor.class, "glean.txt");

  @Override
  public OperatorOutcome execute(
      LogicalOperator operator, Gleaning technique, Document document, ModelClient client)
      throws InterruptedException {
    return SemanticCall.with(
        operator, document, (question, shown) -> run(question, technique, document, shown, client));
  }

  private static <A> OperatorOutcome run(
      OperatorQuestion<A> question,
      Gleaning technique,
      Document document,
      Document shown,
      ModelClient client)
      throws InterruptedException {
    Prompt prompt = Prompt.of(question, shown);
    String model = technique.model();
    Look<A> look = new Look<>(model, StructuredCall.ask(client, model, prompt, question), false);
    for (int round = 0; round < technique.rounds() && !look.last(); round++) {
      look =
          switch (look.reply()) {
            case Reply.Unanswered<A> failed -> new Look<>(model, failed, true);
            case Reply.Answered<A>(A draft, Expense spent) ->
                again(question, technique, prompt, draft, client).after(spent);
          };
    }
    return SemanticCall.conclude(question, document, look.model(), Expense.NONE, look.reply());
  }

  /**
   * What came of a look at the document.
   *
   * @param model that was asked last
   * @param last whether there is nothing more to look for
   */
  private record Look<A>(String model, Reply<A> reply, boolean last) {
    Look<A> after(Expense earlier) {
      return new Look<>(model, reply.after(earlier), last);
    }

    /** If nothing is new, another round would ask the very same again. */
    Look<A> addedTo(OperatorQuestion<A> question, A draft) {
      if (!(reply instanceof Reply.Answered<A>(A found, Expense expense))) {
        return this;
      }
      A sum = question.added(draft, found);
      return new Look<>(model, new Reply.Answered<>(sum, expense), sum.equals(draft));
    }
  }

  private static <A> Look<A> again(
      OperatorQuestion<A> question, Gleaning technique, Prompt prompt, A draft, ModelClient client)
      throws InterruptedException {
    Prompt drafted = prompt.with("draft", question.json(draft).toString());
    RoleQuestion checker = new RoleQuestion(RoleQuestion.CHECKER, question);
    String model = technique.model();
    return switch (StructuredCall.ask(
        client, technique.checker(), drafted.asking(checker), checker)) {
      case Reply.Unanswered<JsonNode>(ModelFailure failure, Expense spent) ->
          new Look<A>(technique.checker(), new Reply.Unanswered<>(failure, spent), true);
      case Reply.Answered<JsonNode>(JsonNode missing, Expense spent) when missing.isEmpty() ->
          new Look<>(model, new Reply.Answered<>(draft, spent), true);
      case Reply.Answered<JsonNode>(JsonNode missing, Expense spent) -> {
        Prompt again = drafted.with("missing", lines(missing)).step(GLEAN);
        Reply<A> found = StructuredCall.ask(client, model, again, question).after(spent);
        yield new Look<>(model, found, false).addedTo(question, draft);
      }
    };
  }

  private static String lines(JsonNode missing) {
    StringBuilder lines = new StringBuilder();
    missing.forEach(one -> lines.append(lines.isEmpty() ? "- " : "\n- ").append(one.asText()));
    return lines.toString();
  }
}
