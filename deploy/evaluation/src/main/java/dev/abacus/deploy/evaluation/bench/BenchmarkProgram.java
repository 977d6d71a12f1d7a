package dev.abacus.deploy.evaluation.bench;

import dev.abacus.schemas.catalogue.ModelCatalogue;
import dev.abacus.schemas.control.ControlRecord;
import dev.abacus.schemas.plan.Estimate;
import dev.abacus.schemas.plan.ModelSelection;
import dev.abacus.schemas.plan.PhysicalPlan;
import dev.abacus.schemas.plan.PlanChoice;
import dev.abacus.schemas.plan.PlanStep;
import dev.abacus.schemas.program.Program;
import dev.abacus.schemas.program.io.InvalidTextException;
import dev.abacus.schemas.program.io.ProgramParser;
import dev.abacus.topology.control.ProgramPlans;
import dev.abacus.topology.execution.PlanExecutor;
import dev.abacus.topology.live.DocumentServices;
import dev.abacus.topology.model.Embedders;
import dev.abacus.topology.model.ModelClient;
import dev.abacus.topology.operator.technique.OperatorRuntime;
import dev.abacus.topology.telemetry.ProgramCounters;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.List;

/** A program of semantic maps and one model. Its plan is active from the start. */
final class BenchmarkProgram {

  static final String MODEL = "gpt-4o-mini";

  private static final String TEXT =
      """
      program: NAME
      sources: { documents: { topic: NAME.documents } }
      operators:
      OPERATORS
      results: { topic: NAME.results }
      models: [MODEL]
      """;

  private final Program program;
  private final ProgramPlans plans = new ProgramPlans();

  /** A program with one map. */
  BenchmarkProgram(String name) {
    this(name, 1);
  }

  BenchmarkProgram(String name, int operators) {
    StringBuilder maps = new StringBuilder();
    for (int i = 0; i < operators; i++) {
      String number = i == 0 ? "" : String.valueOf(i);
      maps.append(
          """
            - map: classify%1$s
              instruction: What is the message about?
              reads: [text]
              writes: { topic%1$s: { type: string } }
          """
              .formatted(number));
    }
    try {
      program =
          new ProgramParser(ModelCatalogue.builtIn())
              .parse(
                  TEXT.replace("OPERATORS\n", maps).replace("NAME", name).replace("MODEL", MODEL));
    } catch (InvalidTextException e) {
      throw new IllegalStateException("the benchmark's own program is invalid", e);
    }
    List<PlanStep> steps =
        program.operators().stream()
            .map(operator -> new PlanStep(operator, new ModelSelection(MODEL)))
            .toList();
    PlanChoice choice = new PlanChoice(steps, new Estimate(1, 0, 0));
    plans.apply(new ControlRecord.ProgramSet(program));
    plans.apply(
        new ControlRecord.PlanPublished(
            new PhysicalPlan(name, 1, choice, program.objective(), List.of())));
    plans.apply(new ControlRecord.Activated(name, 1, 1, "benchmark", "benchmark"));
  }

  Program program() {
    return program;
  }

  /** The topic of the documents. */
  String source() {
    return program.sources().getFirst().topic();
  }

  /** Returns the services that process documents, with the given model. */
  DocumentServices services(ModelClient model) {
    return new DocumentServices(
        plans,
        new PlanExecutor(new OperatorRuntime(Embedders.of())),
        model,
        null,
        new ProgramCounters(),
        Clock.systemUTC());
  }

  /** The first field of a document, which is unique, and of its result. */
  static String id(byte[] value) {
    return new String(value, StandardCharsets.UTF_8).split("\"", 5)[3];
  }

  /** The number of a document, also of its result. */
  static int number(byte[] value) {
    return Integer.parseInt(id(value).substring("d-".length()));
  }

  static byte[] document(int number) {
    return document(number, 0);
  }

  /** A document of about so many bytes; a short one if they are few. */
  static byte[] document(int number, int bytes) {
    String sentence = "Message %d: the parcel has not come.".formatted(number);
    String text = (sentence + " ").repeat(Math.max(1, bytes / (sentence.length() + 1))).strip();
    return "{\"id\":\"d-%d\",\"text\":\"%s\"}"
        .formatted(number, text)
        .getBytes(StandardCharsets.UTF_8);
  }
}
