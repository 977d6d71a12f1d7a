package dev.abacus.topology.operator;

import com.fasterxml.jackson.databind.JsonNode;
import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.plan.PhysicalOperator.MixtureOfAgents;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.topology.model.ModelClient;
import java.util.ArrayList;
import java.util.List;

/**
 * Several models propose answers side by side; one more sees the document and the proposals, and
 * answers (paper, section 4.1, "Mixture of agents").
 *
 * <pre>
 *              ┌─► proposer 1 ──┐
 *   document ──┼─► proposer 2 ──┼─► aggregator ──► output
 *       │      └─► proposer 3 ──┘       ▲
 *       └───────────────────────────────┘
 * </pre>
 *
 * <p>A proposer that fails is missed, no more, as long as there is one proposal. The proposals'
 * system message, response schema and document are those of the aggregation too, so that an
 * aggregator that has proposed as well finds the long part of its prompt in the endpoint's cache.
 */
final class MixtureOfAgentsExecutor implements OperatorExecutor<MixtureOfAgents> {

  private static final PromptTemplate AGGREGATE =
      PromptTemplate.beside(MixtureOfAgentsExecutor.class, "aggregate.txt");

  @Override
  public OperatorOutcome execute(
      LogicalOperator operator, MixtureOfAgents technique, Document document, ModelClient client)
      throws InterruptedException {
    return SemanticCall.with(
        operator, document, (question, shown) -> run(question, technique, document, shown, client));
  }

  private static <A> OperatorOutcome run(
      OperatorQuestion<A> question,
      MixtureOfAgents technique,
      Document document,
      Document shown,
      ModelClient client)
      throws InterruptedException {
    Prompt prompt = Prompt.of(question, shown);
    List<String> proposers = technique.proposers();
    double temperature = technique.temperature();
    List<Reply<A>> replies =
        SideBySide.run(
            proposers,
            proposers.size(),
            model -> StructuredCall.ask(client, model, temperature, prompt, question));
    Expense proposing =
        Expense.sideBySide(replies.stream().map(Reply::expense).toList(), proposers.size());
    List<JsonNode> proposals = new ArrayList<>();
    for (Reply<A> reply : replies) {
      if (reply instanceof Reply.Answered<A>(A answer, Expense _)) {
        proposals.add(question.json(answer));
      }
    }
    if (proposals.isEmpty()) {
      return SemanticCall.conclude(
          question, document, proposers.getFirst(), proposing, withoutExpense(replies.getFirst()));
    }
    String aggregator = technique.aggregator();
    Prompt choice = prompt.withEach("proposal", proposals).step(AGGREGATE);
    return SemanticCall.conclude(
        question,
        document,
        aggregator,
        proposing,
        StructuredCall.ask(client, aggregator, choice, question));
  }

  /** Its expense is counted among that of all. */
  private static <A> Reply<A> withoutExpense(Reply<A> reply) {
    return switch (reply) {
      case Reply.Answered<A>(A answer, Expense _) -> new Reply.Answered<>(answer, Expense.NONE);
      case Reply.Unanswered<A>(var failure, Expense _) ->
          new Reply.Unanswered<>(failure, Expense.NONE);
    };
  }
}
