package dev.abacus.deploy.evaluation.chaos;

import dev.abacus.deploy.evaluation.chaos.judge.Judge.Cap;
import dev.abacus.deploy.evaluation.chaos.judge.Judge.Draw;
import dev.abacus.deploy.evaluation.chaos.judge.Shape;
import dev.abacus.deploy.evaluation.load.BenchmarkProgram;
import dev.abacus.schemas.control.ControlRecord;
import dev.abacus.schemas.plan.Estimate;
import dev.abacus.schemas.plan.PhysicalPlan;
import dev.abacus.schemas.program.Program;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** The programs of a chaos run, with several plans each. The name of a case is its program's. */
enum ChaosPrograms {
  CHAIN(
      """
      operators:
        - TOPIC
        - map: tone
          instruction: What is its tone? VERSION PLAN
          reads: [text]
          writes: { tone: { type: string } }
      budget: { samples: 16 }
      """),
  KEEP(
      """
      operators:
        - filter: wanted
          condition: The message is a complaint. VERSION PLAN
          reads: [text]
        - TOPIC
      """),
  MANY(
      """
      operators:
        - map: question
          instruction: List the questions. VERSION PLAN
          reads: [text]
          writes: { question: { type: string }, item: { type: integer } }
          cardinality: many
        - map: topic
          instruction: What is the message about? VERSION PLAN
          reads: [text, item]
          writes: { topic: { type: string } }
      """),
  WINDOW(
      """
      operators:
        - TOPIC
        - aggregate: groups
          by: [group]
          window: { tumbling: 10s, grace: 5s }
          compute: { messages: count, numbers: list(number) }
      """),
  LIMIT(
      """
      operators:
        - limit: 8
          window: 10s
        - TOPIC
      """),
  JOIN(
      """
      sources: { orders: { topic: NAME.orders }, shipments: { topic: NAME.shipments } }
      operators:
        - map: topic
          input: orders
          instruction: What is the message about? VERSION PLAN
          reads: [text]
          writes: { topic: { type: string } }
        - join: shipped
          input: topic
          with: shipments
          within: 1h
          on: number
          into: shipment
      """),
  CAPPED(
      """
      operators:
        - TOPIC
      """),
  TAUGHT(
      """
      operators:
        - filter: wanted
          condition: The message is a complaint. (drops 0)
          reads: [text]
        - TOPIC
      learning: { audit: 0.05, target: 0.8 }
      """),
  ORDERED(
      """
      operators:
        - filter: wanted
          condition: The message is a complaint. (drops 0)
          reads: [text]
        - filter: parcel
          condition: The message is about a parcel. (drops 1)
          reads: [text]
        - TOPIC
      learning: { audit: 0.1, answers: off }
      """),
  BESIDE(
      """
      operators:
        - TOPIC
      judge: gpt-4o-mini
      validation: { feedback: NAME.feedback }
      budget: { samples: 24 }
      learning: { shadow: 0.05, review: 10 }
      """);

  /** Number of plans that are published for each program before the start. */
  static final int PLANS = 4;

  private static final String ONE_MODEL = "gpt-4o-mini";
  private static final List<String> MODELS = List.of(ONE_MODEL, "gpt-5-nano@flex", "gpt-4.1-nano");
  private static final long CAP_SECONDS = 30;

  private static final String FRAME =
      """
      program: NAME
      results: { topic: NAME.results }
      models: [MODELS]
      """;
  private static final String ONE_SOURCE = "sources: { documents: { topic: NAME.documents } }\n";
  private static final String TOPIC =
      "{ map: topic, instruction: What is the message about? VERSION PLAN, reads: [text], writes: { topic: { type: string } } }";

  private final String operators;

  ChaosPrograms(String operators) {
    this.operators = operators;
  }

  /** Name of the program. */
  String program() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** What the program must do with its documents. */
  Shape shape() {
    return switch (this) {
      case CHAIN, CAPPED, BESIDE -> Shape.PerDocument.one();
      case KEEP, TAUGHT -> new Shape.PerDocument(List.of(0, 1, 1));
      case ORDERED -> new Shape.PerDocument(List.of(0, 0, 1));
      case MANY -> new Shape.PerDocument(List.of(2, 1, 0, 3));
      case WINDOW -> new Shape.Aggregated(10_000);
      case LIMIT -> new Shape.Limited(8, 10_000);
      case JOIN -> new Shape.Paired("join.orders", "join.shipments", "shipment");
    };
  }

  /** What each program must do, by name. */
  static Map<String, Shape> shapes(List<ChaosPrograms> programs) {
    Map<String, Shape> shapes = new LinkedHashMap<>();
    programs.forEach(it -> shapes.put(it.program(), it.shape()));
    return shapes;
  }

  /**
   * The spending caps by program: four fifths of what the documents cost, so that a cap is reached
   * and the documents that it delays are done soon after the events.
   *
   * @param rate documents per second
   */
  static Map<String, Cap> caps(List<ChaosPrograms> programs, double rate) {
    double perSecond = rate * ModelServer.usd(ONE_MODEL);
    return programs.contains(CAPPED)
        ? Map.of(CAPPED.program(), new Cap(0.8 * perSecond * CAP_SECONDS, CAP_SECONDS * 1_000))
        : Map.of();
  }

  /** What programs draw of their documents. */
  static Map<String, Draw> draws(List<ChaosPrograms> programs) {
    return programs.stream()
        .map(program -> program.version(1))
        .filter(program -> program.shadow() > 0 || program.review() > 0)
        .collect(
            Collectors.toMap(
                Program::name, program -> new Draw(program.shadow(), program.review())));
  }

  /** The program's definition; versions differ in their instructions. */
  Program version(int version) {
    return parse(program(), "(version %d)".formatted(version), "");
  }

  /** A program of this kind with another name, topics of its own and no plan. */
  Program named(String name) {
    return parse(name, "", "");
  }

  /** A cap counts calls of one price. */
  private List<String> models() {
    return this == CAPPED ? List.of(ONE_MODEL) : MODELS;
  }

  private Program parse(String name, String version, String plan) {
    String sources = this == JOIN ? "" : ONE_SOURCE;
    return BenchmarkProgram.parse(
        (FRAME + sources + operators)
            .replace("MODELS", String.join(", ", models()))
            .replace("TOPIC", TOPIC)
            .replace("NAME", name)
            .replace("VERSION", version)
            .replace("PLAN", plan));
  }

  /** The records that define the program, publish its plans and activate the first one. */
  List<ControlRecord> start() {
    List<ControlRecord> records = new ArrayList<>();
    records.add(new ControlRecord.ProgramSet(version(1)));
    for (int epoch = 1; epoch <= PLANS; epoch++) {
      records.add(new ControlRecord.PlanPublished(plan(epoch)));
    }
    records.add(activation(1));
    return records;
  }

  ControlRecord activation(long epoch) {
    // Under a plan that a user has put into force, nothing is learnt.
    String by = version(1).learning() == null ? "chaos" : ControlRecord.OPTIMIZER;
    return new ControlRecord.Activated(program(), epoch, 1, "chaos", by);
  }

  /** A plan whose instructions name its epoch; each operator uses one of the models. */
  private PhysicalPlan plan(int epoch) {
    Program planned = parse(program(), "(version 1)", "(plan %d)".formatted(epoch));
    return BenchmarkProgram.plan(
        planned,
        epoch,
        i -> {
          // The plans of a program that learns have the same filters, so that each teaches the
          // others.
          boolean same = planned.learning() != null && planned.operators().get(i).mayDrop();
          return models().get((same ? 0 : epoch >> (i % 2)) % models().size());
        },
        new Estimate(1, 0.0001, 1));
  }
}
