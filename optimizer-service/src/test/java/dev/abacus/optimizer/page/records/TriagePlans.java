package dev.abacus.optimizer.page.records;

import dev.abacus.schemas.catalogue.ModelCatalogue;
import dev.abacus.schemas.objective.Objective;
import dev.abacus.schemas.plan.Estimate;
import dev.abacus.schemas.plan.ModelSelection;
import dev.abacus.schemas.plan.PhysicalOperator;
import dev.abacus.schemas.plan.PhysicalPlan;
import dev.abacus.schemas.plan.PlanChoice;
import dev.abacus.schemas.plan.PlanPromise;
import dev.abacus.schemas.plan.PlanStep;
import dev.abacus.schemas.plan.Range;
import dev.abacus.schemas.plan.Spread;
import dev.abacus.schemas.plan.Standing;
import dev.abacus.schemas.plan.StepEstimate;
import dev.abacus.schemas.program.Program;
import dev.abacus.schemas.program.io.InvalidTextException;
import dev.abacus.schemas.program.io.ProgramParser;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A program of a filter and two maps, and plans with one of five models for each operator. */
record TriagePlans(Program program) {

  private static final String PROGRAM =
      """
      program: support-triage
      sources:
        messages: { topic: support.messages, format: json, key: id }
      operators:
        - filter: is-problem
          input: messages
          condition: The customer has a problem.
          reads: [text]
        - map: classify
          instruction: Decide what the customer wants.
          reads: [text]
          writes: { intent: { type: string } }
        - map: draft
          instruction: Write a reply.
          reads: [text, intent]
          writes: { reply: { type: string } }
      results: { topic: support.triaged, format: json }
      objective: maximize quality subject to cost <= 0.002
      budget: { spending: { usd: 5, per: day } }
      """;

  static final List<String> MODELS =
      List.of("gpt-4o-mini", "gpt-4.1-nano", "gpt-4.1-mini", "gpt-4o", "gpt-4.1");

  static TriagePlans parse() {
    try {
      return new TriagePlans(new ProgramParser(ModelCatalogue.builtIn()).parse(PROGRAM));
    } catch (InvalidTextException e) {
      throw new AssertionError(e);
    }
  }

  static PhysicalOperator physical(int model) {
    return new ModelSelection(MODELS.get(model));
  }

  static double cost(int model) {
    return 0.00012 * Math.pow(2.2, model);
  }

  private PlanChoice choice(int model) {
    List<PlanStep> steps = new ArrayList<>();
    program
        .operators()
        .forEach(operator ->
            steps.add(
                new PlanStep(operator, physical(operator.id().equals("classify") ? model : 2))));
    double quality = 0.70 + 0.055 * model - 0.004 * model * model;
    return new PlanChoice(
            steps, new Estimate(quality, 2.4 * cost(2) + cost(model), 2.4 + 0.6 * model))
        .with(new Spread(0.025, 0.00005, 0.3, 40, 12, List.of(0.0, 0.0, 0.0)));
  }

  /** A plan with a frontier of one plan for each model. */
  PhysicalPlan plan(long epoch, int model, @Nullable PlanPromise promise) {
    Map<String, Map<String, StepEstimate>> basis = new TreeMap<>();
    program
        .operators()
        .forEach(operator -> {
          Map<String, StepEstimate> byId = new TreeMap<>();
          for (int each = 0; each < MODELS.size(); each++) {
            double quality = 0.80 + 0.04 * each;
            byId.put(
                physical(each).id(),
                new StepEstimate(
                    12,
                    new Range(quality, quality - 0.03, Math.min(1, quality + 0.03)),
                    new Range(cost(each), 0.9 * cost(each), 1.1 * cost(each)),
                    new Range(0.9 + 0.2 * each, 0.8 + 0.2 * each, 1.0 + 0.2 * each),
                    operator.id().equals("is-problem") ? 0.62 : 1));
          }
          basis.put(operator.id(), byId);
        });
    List<PlanChoice> frontier = new ArrayList<>();
    for (int each = 0; each < MODELS.size(); each++) {
      frontier.add(choice(each));
    }
    Objective objective = program.objective();
    double required = promise == null ? Standing.REQUIRED : promise.level();
    return new PhysicalPlan(program.name(), epoch, choice(model), objective, frontier)
        .with(basis, promise, required);
  }
}
