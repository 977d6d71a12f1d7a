package dev.abacus.deploy.evaluation.load;

import dev.abacus.schemas.catalogue.ModelCatalogue;
import dev.abacus.schemas.control.ControlRecord;
import dev.abacus.schemas.plan.Estimate;
import dev.abacus.schemas.plan.ModelSelection;
import dev.abacus.schemas.plan.PhysicalPlan;
import dev.abacus.schemas.plan.PlanChoice;
import dev.abacus.schemas.plan.PlanStep;
import dev.abacus.schemas.plan.Relational;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.Program;
import dev.abacus.schemas.program.io.InvalidTextException;
import dev.abacus.schemas.program.io.ProgramParser;
import dev.abacus.topology.control.ProgramPlans;
import dev.abacus.topology.execution.PlanExecutor;
import dev.abacus.topology.live.DocumentServices;
import dev.abacus.topology.live.SourceRange;
import dev.abacus.topology.model.Embedders;
import dev.abacus.topology.model.ModelClient;
import dev.abacus.topology.operator.technique.OperatorRuntime;
import dev.abacus.topology.telemetry.ProgramCounters;
import dev.abacus.topology.telemetry.Tracing;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A program of semantic maps and relational operators, its plans and its documents. The
 * instructions of a plan contain its epoch, so that prompts and answers identify the plan.
 */
public final class BenchmarkProgram {

  private static final Pattern PLAN = Pattern.compile("\\(plan (\\d+)\\)");

  /** Consecutive plans alternate between these models, from epoch 1 on. */
  private static final List<String> MODELS = List.of("gpt-4.1-nano", "gpt-4o-mini");

  private static final String TEXT =
      """
      program: NAME
      sources: { documents: { topic: NAME.documents } }
      operators:
      OPERATORS
      results: { topic: NAME.results }
      models: [MODELS]
      """;

  private final String text;
  private final Program program;

  /**
   * Creates a program.
   *
   * @param maps number of semantic maps, which write {@code topic}, {@code topic1} and so on
   */
  public BenchmarkProgram(String name, int maps) {
    StringBuilder operators = new StringBuilder();
    for (int i = 0; i < maps; i++) {
      operators.append(
          """
            - map: classify%1$s
              instruction: What is the message about? PLAN
              reads: [text]
              writes: { topic%1$s: { type: string } }
          """
              .formatted(i == 0 ? "" : String.valueOf(i)));
    }
    this(name, TEXT.replace("OPERATORS\n", operators).replace("MODELS", String.join(", ", MODELS)));
  }

  /**
   * Creates a program.
   *
   * @param text the program, with {@code NAME} for its name, and {@code PLAN} where instructions
   *     name the epoch of a plan
   */
  public BenchmarkProgram(String name, String text) {
    this.text = text.replace("NAME", name);
    this.program = parse(this.text.replace("PLAN", ""));
  }

  /**
   * Parses the program of a benchmark.
   *
   * @throws IllegalStateException if it is invalid
   */
  public static Program parse(String text) {
    try {
      return new ProgramParser(ModelCatalogue.builtIn()).parse(text);
    } catch (InvalidTextException e) {
      throw new IllegalStateException("the benchmark's own program is invalid", e);
    }
  }

  /**
   * Returns a plan that no search has chosen, in the order of the program.
   *
   * @param models the model that each semantic operator asks, by the operator's position
   */
  public static PhysicalPlan plan(
      Program program, long epoch, IntFunction<String> models, Estimate estimate) {
    List<PlanStep> steps = new ArrayList<>();
    for (LogicalOperator operator : program.operators()) {
      steps.add(
          new PlanStep(
              operator,
              operator.isSemantic()
                  ? new ModelSelection(models.apply(steps.size()))
                  : new Relational()));
    }
    PlanChoice choice = new PlanChoice(steps, estimate);
    return new PhysicalPlan(program.name(), epoch, choice, program.objective(), List.of());
  }

  /** Returns the program as the product reads it. */
  public Program program() {
    return program;
  }

  /** Returns the topic of the documents. */
  public String source() {
    return program.sources().getFirst().topic();
  }

  /** Returns the control record that defines the program. */
  ControlRecord definition() {
    return new ControlRecord.ProgramSet(program);
  }

  /** Returns the control record that publishes the plan of an epoch. */
  ControlRecord plan(long epoch) {
    String model = MODELS.get((int) (epoch % MODELS.size()));
    Program planned = parse(text.replace("PLAN", "(plan %d)".formatted(epoch)));
    return new ControlRecord.PlanPublished(plan(planned, epoch, _ -> model, new Estimate(1, 0, 0)));
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
  public static long planOf(String prompt) {
    Matcher found = PLAN.matcher(prompt);
    if (!found.find()) {
      throw new IllegalArgumentException("the prompt contains no plan epoch: " + prompt);
    }
    return Long.parseLong(found.group(1));
  }

  /** Returns services that process documents by the first plan, with the given model. */
  public DocumentServices services(ModelClient model) {
    ProgramPlans plans = new ProgramPlans();
    List.of(definition(), plan(1), activation(1)).forEach(plans::apply);
    return services(plans, model);
  }

  /** Returns services that process documents by the given plans, with the given model. */
  public static DocumentServices services(ProgramPlans plans, ModelClient model) {
    return new DocumentServices(
        plans,
        new PlanExecutor(new OperatorRuntime(Embedders.of())),
        model,
        null,
        new ProgramCounters(),
        Clock.systemUTC(),
        null,
        () -> true,
        Tracing.OFF,
        SourceRange.ALL,
        null,
        null);
  }

  /** Returns the number of a document, from its value, or that of its result or dead letter. */
  static long number(byte[] value) {
    String id = new String(value, StandardCharsets.UTF_8).split("\"", 5)[3];
    return Long.parseLong(id.substring("d-".length()));
  }

  /** Returns a document of about so many bytes; a short one if they are few. */
  public static byte[] document(long number, int bytes) {
    String sentence = "Message %d: the parcel has not come.".formatted(number);
    String text = (sentence + " ").repeat(Math.max(1, bytes / (sentence.length() + 1))).strip();
    return "{\"id\":\"d-%d\",\"text\":\"%s\"}"
        .formatted(number, text)
        .getBytes(StandardCharsets.UTF_8);
  }
}
