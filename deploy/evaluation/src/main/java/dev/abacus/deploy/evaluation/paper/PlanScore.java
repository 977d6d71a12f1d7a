package dev.abacus.deploy.evaluation.paper;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.abacus.deploy.score.DocumentOutcomes;
import dev.abacus.deploy.score.ResultScores;
import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.observation.ValidationExample;
import dev.abacus.schemas.plan.PhysicalPlan;
import dev.abacus.schemas.program.Program;
import dev.abacus.topology.execution.PlanOutcome;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Measured score of a plan on test documents.
 *
 * @param quality mean score of the program's last map against the labels; a document without a
 *     result scores 0
 * @param cost USD per document
 * @param latency modelled seconds per document
 */
record PlanScore(double quality, double cost, double latency) {

  /** The score of a search without a plan: quality 0, no cost and latency. */
  static final PlanScore NO_PLAN = new PlanScore(0, Double.NaN, Double.NaN);

  /** Runs a plan on the test documents. */
  static PlanScore of(
      PhysicalPlan plan,
      Program program,
      BenchmarkDataPlane dataPlane,
      List<ValidationExample> tests)
      throws InterruptedException {
    Map<String, JsonNode> labels = new LinkedHashMap<>();
    Map<String, List<ObjectNode>> results = new HashMap<>();
    double cost = 0;
    double latency = 0;
    for (ValidationExample test : tests) {
      ObjectNode label = labels(test);
      labels.put(test.id(), label);
      PlanOutcome outcome = dataPlane.run(plan.steps(), test);
      cost += outcome.stats().cost();
      latency += outcome.stats().latency();
      switch (outcome) {
        case PlanOutcome.Result result ->
            results.put(test.id(), result.documents().stream().map(Document::toJson).toList());
        case PlanOutcome.Filtered _, PlanOutcome.Failed _ -> {
          // Without a result the document scores 0.
        }
      }
    }
    int n = tests.size();
    double quality =
        results.isEmpty()
            ? 0
            : ofLastMap(
                    new ResultScores(
                        program,
                        dataPlane.scorer(),
                        labels,
                        new DocumentOutcomes(results, Map.of())))
                / n;
    return new PlanScore(quality, cost / n, latency / n);
  }

  /** The sum of the scores of the program's last map over the documents with a result. */
  private static double ofLastMap(ResultScores scores) throws InterruptedException {
    ResultScores.Figure last =
        scores.scores().figures().stream()
            .filter(figure -> !figure.operator().equals(ResultScores.WHOLE_PLAN))
            .toList()
            .getLast();
    return last.value() * last.documents();
  }

  private static ObjectNode labels(ValidationExample test) {
    ObjectNode labels = JsonNodeFactory.instance.objectNode();
    test.labels().forEach(labels::set);
    return labels;
  }
}
