package dev.abacus.topology.live;

import dev.abacus.schemas.plan.PhysicalPlan;
import dev.abacus.schemas.plan.PlanStep;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * A run of a program's operators that one processor carries documents through: which steps of a
 * plan are its own, and where its documents come from and go.
 */
final class Segment {

  private final @Nullable DocumentCodec reader;
  private final @Nullable DocumentCodec writer;
  private final Set<String> operators;
  private final boolean only;
  private final List<String> children;
  private final String deadLetters;
  private final boolean reportsFailures;

  /** By epoch; plans are immutable. */
  private final Map<Long, List<PlanStep>> steps = new ConcurrentHashMap<>();

  /**
   * A segment.
   *
   * @param reader of source records; null if it takes envelopes of a stage before
   * @param writer of results; null if it hands envelopes to stages behind
   * @param operators ids of those that run here
   * @param only whether the program has no other, so that every step of any plan runs here
   * @param children nodes that its documents go to
   * @param deadLetters node that its dead letters go to
   * @param reportsFailures whether children are told of documents that failed
   */
  Segment(
      @Nullable DocumentCodec reader,
      @Nullable DocumentCodec writer,
      Set<String> operators,
      boolean only,
      List<String> children,
      String deadLetters,
      boolean reportsFailures) {
    this.reader = reader;
    this.writer = writer;
    this.operators = Set.copyOf(operators);
    this.only = only;
    this.children = List.copyOf(children);
    this.deadLetters = deadLetters;
    this.reportsFailures = reportsFailures;
  }

  @Nullable DocumentCodec reader() {
    return reader;
  }

  @Nullable DocumentCodec writer() {
    return writer;
  }

  List<String> children() {
    return children;
  }

  String deadLetters() {
    return deadLetters;
  }

  boolean reportsFailures() {
    return reportsFailures;
  }

  /** The steps of a plan that run here, in the plan's order. */
  List<PlanStep> steps(PhysicalPlan plan) {
    return only
        ? plan.steps()
        : steps.computeIfAbsent(
            plan.epoch(),
            _ ->
                plan.steps().stream()
                    .filter(step -> operators.contains(step.logical().id()))
                    .toList());
  }
}
