package dev.abacus.optimizer.page.view;

import dev.abacus.optimizer.page.chart.GraphLayout;
import dev.abacus.optimizer.page.records.Cluster.OperatorRate;
import dev.abacus.optimizer.page.records.Cluster.ProgramRecords;
import dev.abacus.schemas.control.InstanceStatus;
import dev.abacus.schemas.control.ModelWait;
import dev.abacus.schemas.control.OperatorCounts;
import dev.abacus.schemas.control.PromiseReport;
import dev.abacus.schemas.objective.Dimension;
import dev.abacus.schemas.plan.PhysicalOperator;
import dev.abacus.schemas.plan.PhysicalPlan;
import dev.abacus.schemas.plan.PlanStep;
import dev.abacus.schemas.plan.StepEstimate;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.Program;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The operators of a program in the order of the active plan, as a graph and as rows.
 *
 * @param wide laid out from left to right
 * @param tall laid out from top to bottom
 * @param nodes sources, operators and the results, by id
 * @param rows one for each operator
 */
public record OperatorGraph(
    GraphLayout wide, GraphLayout tall, Map<String, Node> nodes, List<Row> rows) {

  /** Prefixes of nodes that are topics; an operator's id has no colon. */
  private static final String SOURCE = "source:";

  private static final String RESULTS = "results:";
  private static final int WIDTH = 212;
  private static final int HEIGHT = 92;
  private static final int LONGEST = 30;

  /**
   * A box of the graph.
   *
   * @param kind {@code source}, {@code results} or the kind of the operator
   * @param operator whether it is an operator, which has a page
   * @param lines of text, each short enough for the box
   * @param alert what needs attention, such as waiting calls; empty if nothing does
   */
  public record Node(
      String id, String title, String kind, boolean operator, List<String> lines, String alert) {}

  /**
   * An operator with its figures. Quality, cost and latency are estimates per input from samples.
   *
   * @param work of the last minute, as the workers report it
   */
  public record Row(
      String id,
      String kind,
      String implementation,
      Work work,
      String quality,
      String judged,
      String cost,
      String latency,
      String waiting,
      String deadLetters) {}

  /**
   * What an operator did in the last minute.
   *
   * @param in documents per minute that it finished
   * @param out documents per minute that it made
   * @param errors dead letters per minute; empty if there are none
   * @param running documents in process now
   * @param cost per input; empty without inputs
   * @param latency per input; empty without inputs
   */
  public record Work(
      String in, String out, String errors, String running, String cost, String latency) {

    private static final Work UNKNOWN =
        new Work(Figures.UNKNOWN, Figures.UNKNOWN, "", Figures.UNKNOWN, "", "");

    private static Work of(@Nullable OperatorRate rate) {
      if (rate == null) {
        return UNKNOWN;
      }
      OperatorCounts work = rate.work();
      boolean worked = work.inputs() > 0;
      return new Work(
          Figures.perMinute(rate.inputs()),
          Figures.perMinute(rate.outputs()),
          work.failures() == 0 ? "" : Figures.perMinute(rate.failures()),
          Figures.count(work.running()),
          worked ? Figures.amount(Dimension.COST, work.costUsd() / work.inputs()) : "",
          worked ? Figures.amount(Dimension.LATENCY, work.seconds() / work.inputs()) : "");
    }
  }

  static OperatorGraph of(ProgramRecords records) {
    Program program = records.program();
    List<LogicalOperator> operators = operators(records);
    Map<String, Node> nodes = new LinkedHashMap<>();
    List<GraphLayout.Link> links = new ArrayList<>();
    for (Program.Source source : program.sources()) {
      nodes.put(SOURCE + source.name(), topic(SOURCE + source.name(), source.topic(), "source"));
    }
    List<Row> rows = new ArrayList<>();
    for (LogicalOperator operator : operators) {
      PlanStep step = records.activeStep(operator.id());
      Row row = row(records, operator, step);
      rows.add(row);
      nodes.put(operator.id(), node(operator, row));
      for (String input : operator.inputs()) {
        String from = nodes.containsKey(input) ? input : SOURCE + input;
        if (nodes.containsKey(from)) {
          links.add(new GraphLayout.Link(from, operator.id()));
        }
      }
    }
    nodes.put(RESULTS, topic(RESULTS, program.results().topic(), "results"));
    // What no operator reads is written to the results.
    nodes.keySet().stream()
        .filter(id -> !id.equals(RESULTS))
        .filter(id -> links.stream().noneMatch(link -> link.from().equals(id)))
        .toList()
        .forEach(id -> links.add(new GraphLayout.Link(id, RESULTS)));
    List<String> ids = List.copyOf(nodes.keySet());
    return new OperatorGraph(
        GraphLayout.of(ids, links, WIDTH, HEIGHT, false),
        GraphLayout.of(ids, links, WIDTH, HEIGHT, true),
        nodes,
        rows);
  }

  /** The operators in the order of the plan. The operators of a chain read their predecessor. */
  private static List<LogicalOperator> operators(ProgramRecords records) {
    Program program = records.program();
    PhysicalPlan plan = records.activePlan();
    if (plan == null
        || plan.steps().stream().anyMatch(step -> program.operator(step.logical().id()) == null)) {
      return program.operators();
    }
    List<LogicalOperator> operators = plan.steps().stream().map(PlanStep::logical).toList();
    boolean chain =
        program.sources().size() == 1
            && operators.stream().allMatch(operator -> operator.inputs().size() == 1);
    if (!chain || operators.size() != program.operators().size()) {
      return operators;
    }
    List<LogicalOperator> wired = new ArrayList<>();
    String input = program.sources().getFirst().name();
    for (LogicalOperator operator : operators) {
      wired.add(operator.withInputs(List.of(input)));
      input = operator.id();
    }
    return wired;
  }

  private static Node topic(String id, String topic, String kind) {
    return new Node(id, cut(topic), kind, false, List.of(), "");
  }

  private static Node node(LogicalOperator operator, Row row) {
    List<String> lines = new ArrayList<>();
    lines.add(cut(row.implementation()));
    Work work = row.work();
    lines.add(cut("in " + work.in() + " · out " + work.out() + " /min"));
    String cost = work.cost().isEmpty() ? row.cost() : work.cost();
    String latency = work.latency().isEmpty() ? row.latency() : work.latency();
    if (!cost.isEmpty()) {
      lines.add(cut(cost + " · " + latency));
    }
    String alert =
        row.waiting().isEmpty()
            ? work.errors().isEmpty() ? "" : work.errors() + " errors /min"
            : row.waiting();
    return new Node(operator.id(), cut(operator.id()), operator.kind(), true, lines, cut(alert));
  }

  private static Row row(
      ProgramRecords records, LogicalOperator operator, @Nullable PlanStep step) {
    StepEstimate basis = basis(records, step);
    PromiseReport.JudgedOperator judged = judged(records, operator.id());
    return new Row(
        operator.id(),
        operator.kind(),
        step != null
            ? implementation(records, step)
            : operator.isSemantic() ? "not chosen yet" : "needs no choice",
        Work.of(records.rates().operators().get(operator.id())),
        basis == null ? "" : Figures.range(Dimension.QUALITY, basis.quality()),
        judged == null
            ? ""
            : "%s of %s"
                .formatted(
                    Figures.range(Dimension.QUALITY, judged.quality()),
                    Figures.count(judged.judged())),
        basis == null ? "" : Figures.amount(Dimension.COST, basis.cost().mean()),
        basis == null ? "" : Figures.amount(Dimension.LATENCY, basis.latency().mean()),
        waiting(records, step == null ? null : step.physical()),
        deadLetters(records, operator.id()));
  }

  private static PromiseReport.@Nullable JudgedOperator judged(
      ProgramRecords records, String operator) {
    PromiseReport report = records.report();
    return report == null
        ? null
        : report.measured().operators().stream()
            .filter(judged -> judged.operator().equals(operator))
            .findFirst()
            .orElse(null);
  }

  private static String implementation(ProgramRecords records, PlanStep step) {
    PhysicalPlan plan = records.activePlan();
    return plan == null ? step.physical().id() : plan.choice().implementation(step);
  }

  private static @Nullable StepEstimate basis(ProgramRecords records, @Nullable PlanStep step) {
    PhysicalPlan plan = records.activePlan();
    return plan == null || step == null ? null : plan.basis(step);
  }

  /** Calls that wait for a model of the implementation. */
  private static String waiting(ProgramRecords records, @Nullable PhysicalOperator physical) {
    if (physical == null) {
      return "";
    }
    Map<String, Long> calls = new LinkedHashMap<>();
    for (InstanceStatus instance : records.instances()) {
      for (ModelWait wait : instance.waits()) {
        if (physical.chatModels().contains(wait.model())) {
          calls.merge(wait.model(), wait.waitingCalls(), Long::sum);
        }
      }
    }
    List<String> texts = new ArrayList<>();
    calls.forEach((model, waiting) -> texts.add(Figures.count(waiting) + " wait for " + model));
    return String.join(", ", texts);
  }

  private static String deadLetters(ProgramRecords records, String operator) {
    long letters =
        records.deadLetters().stream()
            .filter(group -> group.operator().equals(operator))
            .mapToLong(group -> group.count())
            .sum();
    return letters == 0 ? "" : Figures.count(letters);
  }

  private static String cut(String text) {
    return text.length() <= LONGEST ? text : text.substring(0, LONGEST - 1) + "…";
  }
}
