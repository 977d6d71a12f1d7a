package dev.abacus.topology.operator.technique;

import com.fasterxml.jackson.databind.JsonNode;
import dev.abacus.schemas.plan.Gleaning;
import dev.abacus.topology.operator.OperatorFailedException;
import dev.abacus.topology.operator.OperatorOutcome;
import dev.abacus.topology.operator.prompt.Prompt;
import dev.abacus.topology.operator.prompt.PromptTemplate;

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
final class GleaningExecutor {

  private static final PromptTemplate GLEAN =
      PromptTemplate.of(GleaningExecutor.class, "glean.txt");

  private GleaningExecutor() {}

  static <A> OperatorOutcome run(SemanticCall<A> call, Gleaning technique)
      throws InterruptedException, OperatorFailedException {
    A answer = call.ask(technique.model(), call.prompt());
    for (int i = 0; i < technique.rounds(); i++) {
      Prompt<A> drafted = call.prompt().section("draft", call.operator().json(answer).toString());
      JsonNode gaps = call.ask(technique.checker(), Role.CHECKER.prompt(call.operator(), drafted));
      if (gaps.isEmpty()) {
        break;
      }
      Prompt<A> glean = drafted.section("missing", lines(gaps)).append(GLEAN.text());
      A combined = call.operator().combine(answer, call.ask(technique.model(), glean));
      if (combined.equals(answer)) {
        // Another round would send the same prompts.
        break;
      }
      answer = combined;
    }
    return call.outcome(answer);
  }

  private static String lines(JsonNode gaps) {
    StringBuilder lines = new StringBuilder();
    gaps.forEach(gap -> lines.append(lines.isEmpty() ? "- " : "\n- ").append(gap.asText()));
    return lines.toString();
  }
}
