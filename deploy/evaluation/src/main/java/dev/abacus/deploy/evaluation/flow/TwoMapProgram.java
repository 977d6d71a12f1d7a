package dev.abacus.deploy.evaluation.flow;

import dev.abacus.schemas.catalogue.ModelCatalogue;
import dev.abacus.schemas.control.ControlRecord;
import dev.abacus.schemas.plan.Estimate;
import dev.abacus.schemas.plan.ModelSelection;
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
 * A program with two semantic maps, and its plans. The instructions of a plan contain its epoch, so
 * that prompts and answers identify the plan.
 */
final class TwoMapProgram {

  private static final Pattern PLAN = Pattern.compile("\\(plan (\\d+)\\)");

  /** Consecutive plans alternate between these models. */
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

  /** Returns the control record that defines the program. */
  ControlRecord definition() {
    return new ControlRecord.ProgramSet(program);
  }

  /** Returns the control record that publishes the plan of an epoch. */
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

  /** Returns the control record that activates the plan of an epoch for new documents. */
  ControlRecord activation(long epoch) {
    return new ControlRecord.Activated(program.name(), epoch, 1, "benchmark", "benchmark");
  }

  /**
   * Returns the epoch of the plan that wrote a prompt.
   *
   * @throws IllegalArgumentException if the prompt contains no epoch
   */
  static long planOf(String prompt) {
    Matcher found = PLAN.matcher(prompt);
    if (!found.find()) {
      throw new IllegalArgumentException("the prompt contains no plan epoch: " + prompt);
    }
    return Long.parseLong(found.group(1));
  }
}
