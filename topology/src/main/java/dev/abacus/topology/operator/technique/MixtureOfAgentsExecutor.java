package dev.abacus.topology.operator.technique;

import com.fasterxml.jackson.databind.JsonNode;
import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.plan.PhysicalOperator.MixtureOfAgents;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.topology.model.ModelClient;
import dev.abacus.topology.operator.ExecutionStats;
import dev.abacus.topology.operator.OperatorExecutor;
import dev.abacus.topology.operator.OperatorOutcome;
import dev.abacus.topology.operator.ParallelCalls;
import dev.abacus.topology.operator.prompt.OperatorPrompt;
import dev.abacus.topology.operator.prompt.PromptMessages;
import dev.abacus.topology.operator.prompt.PromptTemplate;
import dev.abacus.topology.operator.prompt.StructuredAnswer;
import dev.abacus.topology.operator.prompt.StructuredCall;
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
      OperatorPrompt<A> question,
      MixtureOfAgents technique,
      Document document,
      Document shown,
      ModelClient client)
      throws InterruptedException {
    PromptMessages prompt = PromptMessages.of(question, shown);
    List<String> proposers = technique.proposers();
    double temperature = technique.temperature();
    List<StructuredAnswer<A>> replies =
        ParallelCalls.run(
            proposers,
            proposers.size(),
            model -> StructuredCall.ask(client, model, temperature, prompt, question));
    ExecutionStats proposing =
        ExecutionStats.inParallel(
            replies.stream().map(StructuredAnswer::stats).toList(), proposers.size());
    List<JsonNode> proposals = new ArrayList<>();
    for (StructuredAnswer<A> reply : replies) {
      if (reply instanceof StructuredAnswer.Answered<A>(A answer, ExecutionStats _)) {
        proposals.add(question.json(answer));
      }
    }
    if (proposals.isEmpty()) {
      return SemanticCall.conclude(
          question, document, proposers.getFirst(), proposing, withoutStats(replies.getFirst()));
    }
    String aggregator = technique.aggregator();
    PromptMessages choice = prompt.withEach("proposal", proposals).step(AGGREGATE);
    return SemanticCall.conclude(
        question,
        document,
        aggregator,
        proposing,
        StructuredCall.ask(client, aggregator, choice, question));
  }

  /** Its stats is counted among that of all. */
  private static <A> StructuredAnswer<A> withoutStats(StructuredAnswer<A> reply) {
    return switch (reply) {
      case StructuredAnswer.Answered<A>(A answer, ExecutionStats _) ->
          new StructuredAnswer.Answered<>(answer, ExecutionStats.NONE);
      case StructuredAnswer.Unanswered<A>(var failure, ExecutionStats _) ->
          new StructuredAnswer.Unanswered<>(failure, ExecutionStats.NONE);
    };
  }
}
