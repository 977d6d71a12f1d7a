package dev.abacus.topology.live;

import dev.abacus.schemas.kafka.Draw;
import dev.abacus.schemas.plan.Mixture;
import dev.abacus.schemas.plan.PhysicalPlan;
import dev.abacus.schemas.plan.PlanStep;
import dev.abacus.schemas.redaction.Redaction;
import dev.abacus.topology.codec.Envelope;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * A maximal sequence of operators that see one document at a time, as one processor runs it: its
 * steps of each plan, its input and its outputs.
 */
final class Segment {

  private final @Nullable DocumentCodec reader;
  private final @Nullable DocumentCodec writer;
  private final @Nullable Redaction redaction;
  private final Operators operators;
  private final boolean only;
  private final Outlets outlets;

  /** Plans are immutable. */
  private final Map<Part, List<PlanStep>> steps = new ConcurrentHashMap<>();

  /** One of the two plans of an epoch that is a mixture; else its plan. */
  private record Part(long epoch, boolean mixed) {}

  /**
   * A segment.
   *
   * @param reader reads source records; null if the input is envelopes of a previous stage
   * @param writer writes results; null if the output is envelopes for the next stages
   * @param redaction what its operators do not see; null for nothing
   * @param operators of this segment
   * @param only whether it is the only stage, which runs all steps of a plan
   */
  Segment(
      @Nullable DocumentCodec reader,
      @Nullable DocumentCodec writer,
      @Nullable Redaction redaction,
      Operators operators,
      boolean only,
      Outlets outlets) {
    this.reader = reader;
    this.writer = writer;
    this.redaction = redaction;
    this.operators = operators;
    this.only = only;
    this.outlets = outlets;
  }

  @Nullable DocumentCodec reader() {
    return reader;
  }

  @Nullable DocumentCodec writer() {
    return writer;
  }

  /**
   * What its operators do not see; null for nothing. Between segments, and so in windows, groups
   * and joins of streams, documents have their values.
   */
  @Nullable Redaction redaction() {
    return redaction;
  }

  /** Whether its outputs have the values of their documents again. */
  boolean restores() {
    return redaction != null && (writer == null || redaction.restore());
  }

  Outlets outlets() {
    return outlets;
  }

  /** The steps of a plan that a document takes in this segment, in order. */
  List<PlanStep> steps(PhysicalPlan plan, Envelope document) {
    Mixture mixture = plan.choice().mixture();
    boolean mixed =
        mixture != null
            && mixture.takes(Draw.ofKey(document.key(), document.provenance().source()));
    return only
        ? plan.choice().steps(mixed)
        : steps.computeIfAbsent(
            new Part(plan.epoch(), mixed),
            _ -> {
              Set<String> own = operators.in(plan);
              return plan.choice().steps(mixed).stream()
                  .filter(step -> own.contains(step.logical().id()))
                  .toList();
            });
  }

  /** The operators of a segment. */
  @FunctionalInterface
  interface Operators {
    /** Ids of the operators that run in the segment by a plan. */
    Set<String> in(PhysicalPlan plan);
  }

  /**
   * The nodes that a segment forwards to.
   *
   * @param children nodes that documents are forwarded to
   * @param deadLetters node that dead letters are forwarded to
   * @param reportsFailures whether children get a tombstone for each failed document
   * @param learning node that answers to live documents are forwarded to; null if no classifier may
   *     learn from them
   */
  record Outlets(
      List<String> children,
      String deadLetters,
      boolean reportsFailures,
      @Nullable String learning) {

    Outlets {
      children = List.copyOf(children);
    }
  }
}
