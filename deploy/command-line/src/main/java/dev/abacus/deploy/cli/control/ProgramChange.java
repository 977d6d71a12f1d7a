package dev.abacus.deploy.cli.control;

import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.Program;
import dev.abacus.topology.version.ProgramShape;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What happens if a program replaces the one that is in force.
 *
 * @param restarts whether workers restart the applications of the program
 * @param kept semantic operators whose samples are kept
 * @param sampledAgain semantic operators whose samples do not count any more, or that are new
 */
record ProgramChange(Kind kind, boolean restarts, List<String> kept, List<String> sampledAgain) {

  /** The greatest change of a part of the program. */
  enum Kind {
    /** No program of this name is in force. */
    NEW,
    NONE,
    /** Objective, budget, models, judge, validation and the like. */
    SETTINGS,
    /** Operators or references; the topology stays. */
    OPERATORS,
    /** A version with an application of its own. */
    SHAPE
  }

  static ProgramChange of(@Nullable Program before, Program after) {
    List<String> kept = new ArrayList<>();
    List<String> again = new ArrayList<>();
    for (LogicalOperator operator : after.semanticOperators()) {
      (before != null && isComparable(operator, before, after) ? kept : again).add(operator.id());
    }
    return new ProgramChange(kind(before, after), restarts(before, after), kept, again);
  }

  private static Kind kind(@Nullable Program before, Program after) {
    if (before == null) {
      return Kind.NEW;
    }
    if (before.equals(after)) {
      return Kind.NONE;
    }
    if (!ProgramShape.same(before, after)) {
      return Kind.SHAPE;
    }
    return before.operators().equals(after.operators())
            && before.references().equals(after.references())
        ? Kind.SETTINGS
        : Kind.OPERATORS;
  }

  private static boolean restarts(@Nullable Program before, Program after) {
    return before != null
        && !(before.references().equals(after.references())
            && before.validation().topic().equals(after.validation().topic())
            && before.ordering().equals(after.ordering()));
  }

  /** Whether samples of before count: the same operator, metrics and judge. */
  private static boolean isComparable(LogicalOperator operator, Program before, Program after) {
    return operator.equals(before.operator(operator.id()))
        && metrics(operator, before).equals(metrics(operator, after))
        && before.judge().equals(after.judge())
        && before.judgeReasoning() == after.judgeReasoning()
        && before.judgeExamples() == after.judgeExamples();
  }

  private static Map<String, Object> metrics(LogicalOperator operator, Program program) {
    Map<String, Object> metrics = new TreeMap<>(program.validation().metrics());
    metrics
        .keySet()
        .removeIf(name -> !name.equals(operator.id()) && !name.startsWith(operator.id() + "."));
    return metrics;
  }

  /** The kind in lower case, for JSON. */
  String name() {
    return kind.name().toLowerCase(Locale.ROOT);
  }

  /**
   * The change in words.
   *
   * @param epoch of the active plan; null if there is none
   */
  List<String> lines(@Nullable Long epoch) {
    String meanwhile =
        epoch == null
            ? "documents wait for the first plan"
            : "documents continue under the plan of epoch " + epoch;
    List<String> lines = new ArrayList<>();
    switch (kind) {
      case NEW -> {
        return List.of("new program: documents wait until the optimizer has found a plan");
      }
      case NONE -> {
        return List.of("no change");
      }
      case SETTINGS -> lines.add("settings change: " + meanwhile + ", the optimizer plans anew");
      case OPERATORS ->
          lines.add(
              "operators change: " + meanwhile + " until one for the new definition is active");
      case SHAPE ->
          lines.add(
              "shape changes: %s until one for the new definition is active; then a new version takes over, and open windows give two results, and results of one key may leave out of order while both run"
                  .formatted(meanwhile));
    }
    if (restarts) {
      lines.add("workers restart the applications of the program");
    }
    lines.add(
        "samples kept: %s; sampled again: %s"
            .formatted(
                kept.isEmpty() ? "none" : String.join(", ", kept),
                sampledAgain.isEmpty() ? "none" : String.join(", ", sampledAgain)));
    return lines;
  }
}
