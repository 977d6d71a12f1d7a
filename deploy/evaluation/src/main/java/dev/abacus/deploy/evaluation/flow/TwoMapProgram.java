package dev.abacus.deploy.evaluation.flow;

import dev.abacus.schemas.catalogue.ModelCatalogue;
import dev.abacus.schemas.control.ControlRecord;
import dev.abacus.schemas.plan.Estimate;
import dev.abacus.schemas.plan.PhysicalOperator.ModelSelection;
import dev.abacus.schemas.plan.PhysicalPlan;
import dev.abacus.schemas.plan.PlanChoice;
import dev.abacus.schemas.plan.PlanStep;
import dev.abacus.schemas.program.Program;
import dev.abacus.schemas.program.SemanticMap;
import dev.abacus.schemas.program.io.InvalidTextException;
import dev.abacus.schemas.program.io.ProgramParser;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A program of two maps, and any number of plans for it. Every plan says in its instructions which
 * one it is, so that a call, and what it answers, shows what plan it was made for.
 */
final class TwoMapProgram {

  private static final Pattern PLAN = Pattern.compile("\\(plan (\\d+)\\)");

  /** Plans take turns. */
  private static final List<String> MODELS = List.of("gpt-4o-mini", "gpt-4.1-nano");

  private static final String TEXT =
      """
      program: NAME
      sources: { documents: { topic: NAME.documents } }
      operators:
        - map: topic
          instruction: What is the message about?
          reads: [text]
          writes: { topic: { type: string } }
        - map: tone
          instruction: What is its tone?
          reads: [text]
          writes: { tone: { type: string } }
      results: { topic: NAME.results }
      models: [MODELS]
      """;

  private final Program program;

  TwoMapProgram(String name) {
    try {
      program =
          new ProgramParser(ModelCatalogue.builtIn())
              .parse(TEXT.replace("NAME", name).replace("MODELS", String.join(", ", MODELS)));
    } catch (InvalidTextException e) {
      throw new IllegalStateException("the benchmark's own program is invalid", e);
    }
  }

  Program program() {
    return program;
  }

  /** The program itself. */
  ControlRecord definition() {
    return new ControlRecord.ProgramSet(program);
  }

  /** The plan of an epoch. */
  ControlRecord plan(long epoch) {
    String model = MODELS.get((int) (epoch % MODELS.size()));
    List<PlanStep> steps =
        program.operators().stream()
            .map(SemanticMap.class::cast)
            .map(map -> new PlanStep(ofPlan(map, epoch), new ModelSelection(model)))
            .toList();
    PlanChoice choice = new PlanChoice(steps, new Estimate(1, 0, 0));
    return new ControlRecord.PlanPublished(
        new PhysicalPlan(program.name(), epoch, choice, program.objective(), List.of()));
  }

  private static SemanticMap ofPlan(SemanticMap map, long epoch) {
    return new SemanticMap(
        map.id(),
        map.input(),
        "%s (plan %d)".formatted(map.instruction(), epoch),
        map.reads(),
        map.writes());
  }

  /** All documents from now on go by that plan. */
  ControlRecord activation(long epoch) {
    return new ControlRecord.Activated(program.name(), epoch, 1, "benchmark", "benchmark");
  }

  /**
   * The plan that a prompt belongs to.
   *
   * @throws IllegalArgumentException if it is of no plan of this program
   */
  static long planOf(String prompt) {
    Matcher found = PLAN.matcher(prompt);
    if (!found.find()) {
      throw new IllegalArgumentException("a prompt of no plan: " + prompt);
    }
    return Long.parseLong(found.group(1));
  }
}
