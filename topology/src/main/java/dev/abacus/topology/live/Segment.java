package dev.abacus.topology.live;

import com.github.benmanes.caffeine.cache.Caffeine;
import dev.abacus.schemas.kafka.Draw;
import dev.abacus.schemas.plan.Mixture;
import dev.abacus.schemas.plan.PhysicalPlan;
import dev.abacus.schemas.plan.PlanStep;
import dev.abacus.schemas.redaction.Redaction;
import dev.abacus.topology.codec.Envelope;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A maximal sequence of operators that see one document at a time, as one processor runs it: its
 * steps of each plan, its input and its outputs.
 *
 * @param reader reads source records; null if the input is envelopes of a previous stage
 * @param writer writes results; null if the output is envelopes for the next stages
 * @param redaction what its operators do not see; null for nothing. Between segments, and so in
 *     windows, groups and joins of streams, documents have their values
 * @param steps of this segment
 */
record Segment(
    @Nullable DocumentCodec reader,
    @Nullable DocumentCodec writer,
    @Nullable Redaction redaction,
    Steps steps,
    Outlets outlets) {

  /** Most epochs of which is kept what follows from their plans; the rest is derived again. */
  static final int PLANS_KEPT = 64;

  /** Whether its outputs have the values of their documents again. */
  boolean restores() {
    return redaction != null && (writer == null || redaction.restore());
  }

  /** The steps of a plan that a document takes in this segment, in order. */
  List<PlanStep> steps(PhysicalPlan plan, Envelope document) {
    Mixture mixture = plan.choice().mixture();
    boolean mixed =
        mixture != null
            && mixture.takes(Draw.ofKey(document.key(), document.provenance().source()));
    return steps.of(plan, mixed);
  }

  /** The steps of a segment, in order. */
  @FunctionalInterface
  interface Steps {

    /** The steps of the only stage of a program, which runs all steps of a plan. */
    Steps ALL = (plan, mixed) -> plan.choice().steps(mixed);

    /**
     * The steps of a plan.
     *
     * @param mixed which of the two plans of an epoch that is a mixture; else false
     */
    List<PlanStep> of(PhysicalPlan plan, boolean mixed);

    /** The steps of some operators, whose ids follow from the plan. Plans are immutable. */
    static Steps of(Function<PhysicalPlan, Set<String>> operators) {
      Map<Long, Set<String>> own =
          Caffeine.newBuilder().maximumSize(PLANS_KEPT).<Long, Set<String>>build().asMap();
      return (plan, mixed) -> {
        Set<String> ids = own.computeIfAbsent(plan.epoch(), _ -> operators.apply(plan));
        return plan.choice().steps(mixed).stream()
            .filter(step -> ids.contains(step.logical().id()))
            .toList();
      };
    }
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
