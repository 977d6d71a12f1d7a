package dev.abacus.topology.operator.technique;

import com.fasterxml.jackson.databind.JsonNode;
import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.plan.Gleaning;
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
 * One model answers; a checker lists gaps; the first model is asked again for these gaps, until
 * there are none or the rounds are used up (after "gleaning" in DocETL and GraphRAG).
 *
 * <pre>
 *   document ──► model ──► answer ──► checker ──► no gaps ──► output
 *                  ▲                     │
 *                  └─────── gaps ◄───────┘
 * </pre>
 *
 * <p>Each further answer is combined with the answers before it; lists never lose an item.
 */
final class GleaningExecutor implements OperatorExecutor<Gleaning> {

  private static final PromptTemplate GLEAN =
      PromptTemplate.of(GleaningExecutor.class, "glean.txt");

  @Override
  public OperatorOutcome execute(
      LogicalOperator operator, Gleaning technique, Document document, ModelClient client)
      throws InterruptedException {
    return SemanticCall.run(operator, document, client, call -> run(call, technique));
  }

  private static <A> OperatorOutcome run(SemanticCall<A> call, Gleaning technique)
      throws InterruptedException {
    String model = technique.model();
    Round<A> round = new Round<>(model, call.ask(model, call.prompt()), false);
    for (int i = 0; i < technique.rounds() && !round.last(); i++) {
      round =
          switch (round.answer()) {
            case StructuredAnswer.Failed<A> failed -> new Round<>(model, failed, true);
            case StructuredAnswer.Valid<A>(A draft, ExecutionStats stats) ->
                next(call, technique, draft).after(stats);
          };
    }
    return call.outcome(round.model(), round.answer());
  }

  /**
   * The result of one round.
   *
   * @param model the model that was called last
   * @param answer the combined answer so far
   * @param last whether to stop
   */
  private record Round<A>(String model, StructuredAnswer<A> answer, boolean last) {
    Round<A> after(ExecutionStats earlier) {
      return new Round<>(model, answer.after(earlier), last);
    }
  }

  private static <A> Round<A> next(SemanticCall<A> call, Gleaning technique, A draft)
      throws InterruptedException {
    Prompt<A> drafted = call.prompt().section("draft", call.operator().json(draft).toString());
    Prompt<JsonNode> check = Role.CHECKER.prompt(call.operator(), drafted);
    String model = technique.model();
    return switch (call.ask(technique.checker(), check)) {
      case StructuredAnswer.Failed<JsonNode>(ModelFailure failure, ExecutionStats stats) ->
          new Round<A>(technique.checker(), new StructuredAnswer.Failed<>(failure, stats), true);
      case StructuredAnswer.Valid<JsonNode>(JsonNode gaps, ExecutionStats stats)
          when gaps.isEmpty() ->
          new Round<>(model, new StructuredAnswer.Valid<>(draft, stats), true);
      case StructuredAnswer.Valid<JsonNode>(JsonNode gaps, ExecutionStats stats) -> {
        Prompt<A> glean = drafted.section("missing", lines(gaps)).append(GLEAN.text());
        yield combined(call, model, draft, call.ask(model, glean).after(stats));
      }
    };
  }

  /** Stops if the answer adds nothing, because another round would send the same prompts. */
  private static <A> Round<A> combined(
      SemanticCall<A> call, String model, A draft, StructuredAnswer<A> gleaned) {
    return switch (gleaned) {
      case StructuredAnswer.Failed<A> failed -> new Round<>(model, failed, false);
      case StructuredAnswer.Valid<A>(A found, ExecutionStats stats) -> {
        A combined = call.operator().combine(draft, found);
        yield new Round<>(
            model, new StructuredAnswer.Valid<>(combined, stats), combined.equals(draft));
      }
    };
  }

  private static String lines(JsonNode gaps) {
    StringBuilder lines = new StringBuilder();
    gaps.forEach(gap -> lines.append(lines.isEmpty() ? "- " : "\n- ").append(gap.asText()));
    return lines.toString();
  }
}
