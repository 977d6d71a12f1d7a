package dev.abacus.topology.operator.technique;

import com.fasterxml.jackson.databind.JsonNode;
import dev.abacus.schemas.plan.MixtureOfAgents;
import dev.abacus.topology.model.ExecutionStats;
import dev.abacus.topology.model.ModelClient;
import dev.abacus.topology.model.ModelFailure;
import dev.abacus.topology.operator.OperatorFailedException;
import dev.abacus.topology.operator.OperatorOutcome;
import dev.abacus.topology.operator.prompt.Prompt;
import dev.abacus.topology.operator.prompt.PromptTemplate;
import dev.abacus.topology.operator.prompt.StructuredAnswer;
import dev.abacus.topology.operator.prompt.StructuredCall;
import java.util.ArrayList;
import java.util.List;

/**
 * Several models propose answers in parallel; another sees the document and the proposals, and
 * answers (paper, section 4.1, "Mixture of agents").
 *
 * <pre>
 *              ┌─► proposer 1 ──┐
 *   document ──┼─► proposer 2 ──┼─► aggregator ──► output
 *       │      └─► proposer 3 ──┘       ▲
 *       └───────────────────────────────┘
 * </pre>
 *
 * <p>The operator fails only if all proposers fail. Proposers and aggregator share system message,
 * response schema and document, so that an aggregator that is also a proposer finds the long part
 * of its prompt in the endpoint's cache.
 */
final class MixtureOfAgentsExecutor {

  private static final PromptTemplate AGGREGATE =
      PromptTemplate.of(MixtureOfAgentsExecutor.class, "aggregate.txt");

  private MixtureOfAgentsExecutor() {}

  static <A> OperatorOutcome run(SemanticCall<A> call, MixtureOfAgents technique)
      throws InterruptedException, OperatorFailedException {
    Prompt<A> prompt = call.prompt();
    List<String> proposers = technique.proposers();
    ModelClient client = call.execution().client();
    List<StructuredAnswer<A>> answers =
        call.execution()
            .attemptAll(
                proposers,
                proposers.size(),
                model -> StructuredCall.ask(client, model, technique.temperature(), prompt));
    List<JsonNode> proposals = new ArrayList<>();
    for (StructuredAnswer<A> answer : answers) {
      if (answer instanceof StructuredAnswer.Valid<A>(A valid, ExecutionStats _)) {
        proposals.add(call.operator().json(valid));
      }
    }
    if (proposals.isEmpty()
        && answers.getFirst()
            instanceof StructuredAnswer.Failed<A>(ModelFailure failure, ExecutionStats _)) {
      throw OperatorFailedException.ofModel(proposers.getFirst(), failure);
    }
    Prompt<A> aggregate = prompt.sections("proposal", proposals).append(AGGREGATE.text());
    return call.outcome(call.ask(technique.aggregator(), aggregate));
  }
}
