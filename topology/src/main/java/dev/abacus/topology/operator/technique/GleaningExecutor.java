package dev.abacus.topology.operator.technique;

import com.fasterxml.jackson.databind.JsonNode;
import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.plan.PhysicalOperator.Gleaning;
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
      OperatorPrompt<A> question,
      Gleaning technique,
      Document document,
      Document shown,
      ModelClient client)
      throws InterruptedException {
    PromptMessages prompt = PromptMessages.of(question, shown);
    String model = technique.model();
    Look<A> look = new Look<>(model, StructuredCall.ask(client, model, prompt, question), false);
    for (int round = 0; round < technique.rounds() && !look.last(); round++) {
      look =
          switch (look.reply()) {
            case StructuredAnswer.Unanswered<A> failed -> new Look<>(model, failed, true);
            case StructuredAnswer.Answered<A>(A draft, ExecutionStats spent) ->
                again(question, technique, prompt, draft, client).after(spent);
          };
    }
    return SemanticCall.conclude(
        question, document, look.model(), ExecutionStats.NONE, look.reply());
  }

  /**
   * What came of a look at the document.
   *
   * @param model that was asked last
   * @param last whether there is nothing more to look for
   */
  private record Look<A>(String model, StructuredAnswer<A> reply, boolean last) {
    Look<A> after(ExecutionStats earlier) {
      return new Look<>(model, reply.after(earlier), last);
    }

    /** If nothing is new, another round would ask the very same again. */
    Look<A> addedTo(OperatorPrompt<A> question, A draft) {
      if (!(reply instanceof StructuredAnswer.Answered<A>(A found, ExecutionStats stats))) {
        return this;
      }
      A sum = question.added(draft, found);
      return new Look<>(model, new StructuredAnswer.Answered<>(sum, stats), sum.equals(draft));
    }
  }

  private static <A> Look<A> again(
      OperatorPrompt<A> question,
      Gleaning technique,
      PromptMessages prompt,
      A draft,
      ModelClient client)
      throws InterruptedException {
    PromptMessages drafted = prompt.with("draft", question.json(draft).toString());
    RolePrompt checker = new RolePrompt(RolePrompt.CHECKER, question);
    String model = technique.model();
    return switch (StructuredCall.ask(
        client, technique.checker(), drafted.asking(checker), checker)) {
      case StructuredAnswer.Unanswered<JsonNode>(ModelFailure failure, ExecutionStats spent) ->
          new Look<A>(technique.checker(), new StructuredAnswer.Unanswered<>(failure, spent), true);
      case StructuredAnswer.Answered<JsonNode>(JsonNode missing, ExecutionStats spent)
          when missing.isEmpty() ->
          new Look<>(model, new StructuredAnswer.Answered<>(draft, spent), true);
      case StructuredAnswer.Answered<JsonNode>(JsonNode missing, ExecutionStats spent) -> {
        PromptMessages again = drafted.with("missing", lines(missing)).step(GLEAN);
        StructuredAnswer<A> found = StructuredCall.ask(client, model, again, question).after(spent);
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
