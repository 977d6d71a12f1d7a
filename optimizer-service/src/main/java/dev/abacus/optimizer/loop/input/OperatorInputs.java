package dev.abacus.optimizer.loop.input;

import dev.abacus.optimizer.loop.state.ProgramSnapshot;
import dev.abacus.optimizer.loop.state.SampledOperator;
import dev.abacus.optimizer.sampling.Sample;
import dev.abacus.optimizer.sampling.SeededHash;
import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.observation.Observation;
import dev.abacus.schemas.observation.ValidationExample;
import dev.abacus.schemas.plan.PhysicalOperator;
import dev.abacus.schemas.program.Aggregate;
import dev.abacus.schemas.program.BranchFields;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.Merge;
import dev.abacus.schemas.program.Project;
import dev.abacus.schemas.program.SemanticFilter;
import dev.abacus.schemas.program.StreamJoin;
import dev.abacus.schemas.program.aggregate.GroupDocument;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Computes the input of every operator on every validation example: the example's document with the
 * outputs of the operators upstream. The output of an operator is the first one of its best
 * implementation by mean quality that has an output on the example (ties by id); of several
 * outputs, one is drawn ({@link #drawn}) and counts as many times as there are outputs. Merged
 * branches add their fields ({@link BranchFields}); {@link GroupInputs} and {@link PairInputs}
 * build the inputs of operators on several documents.
 *
 * <p>If a filter drops the document, or a join rejects the pair, operators downstream are sampled
 * on it anyway, so that they get samples. They are not sampled on a document that a condition in
 * code drops, because that decision is certain.
 */
public final class OperatorInputs {

  static final OperatorInput BARRED = new OperatorInput.Barred();
  static final OperatorInput FOREIGN = new OperatorInput.Foreign();

  private final ProgramSnapshot view;
  private final Map<String, Map<String, OperatorInput>> known = new HashMap<>();
  private final Map<String, List<PhysicalOperator>> ranking = new HashMap<>();
  private final Map<String, GroupInputs> groups = new HashMap<>();

  public OperatorInputs(ProgramSnapshot view) {
    this.view = view;
  }

  public OperatorInput of(LogicalOperator operator, String exampleId) {
    Map<String, OperatorInput> byExample =
        known.computeIfAbsent(operator.id(), _ -> new HashMap<>());
    OperatorInput input = byExample.get(exampleId);
    if (input == null) {
      input = find(operator, exampleId);
      byExample.put(exampleId, input);
    }
    return input;
  }

  /** The output of a source or operator on an example, without a label. */
  OperatorInput leaving(String node, String exampleId) {
    LogicalOperator operator = view.program().operator(node);
    if (operator == null) {
      ValidationExample example = view.example(exampleId);
      return example != null && example.source().equals(node)
          ? new OperatorInput.Ready(example.document(), null)
          : FOREIGN;
    }
    OperatorInput input = of(operator, exampleId);
    return input instanceof OperatorInput.Ready ready ? output(operator, exampleId, ready) : input;
  }

  private OperatorInput find(LogicalOperator operator, String exampleId) {
    ValidationExample example = view.example(exampleId);
    if (example == null) {
      return FOREIGN;
    }
    return switch (operator) {
      case Aggregate aggregate -> group(aggregate).of(exampleId);
      case StreamJoin join -> new PairInputs(join, view, this).of(example);
      case Merge merge -> merged(merge, exampleId);
      default -> {
        OperatorInput before = leaving(operator.input(), exampleId);
        yield before instanceof OperatorInput.Ready(var document, _, var rows)
            ? new OperatorInput.Ready(document, example.label(operator.id()), rows)
            : before;
      }
    };
  }

  private GroupInputs group(Aggregate aggregate) {
    return groups.computeIfAbsent(aggregate.id(), _ -> GroupInputs.pool(aggregate, view, this));
  }

  private OperatorInput merged(Merge merge, String exampleId) {
    OperatorInput left = leaving(merge.input(), exampleId);
    OperatorInput right = leaving(merge.with(), exampleId);
    if (left instanceof OperatorInput.Ready(var leftDocument, _, var leftRows)
        && right instanceof OperatorInput.Ready(var rightDocument, _, var rightRows)) {
      Map<String, Double> rows = new HashMap<>(leftRows);
      rows.putAll(rightRows);
      return new OperatorInput.Ready(
          leftDocument.with(rightDocument.only(BranchFields.of(merge, view.program().operators()))),
          null,
          rows);
    }
    return left instanceof OperatorInput.Ready ? right : left;
  }

  private OperatorInput output(
      LogicalOperator operator, String exampleId, OperatorInput.Ready input) {
    Document document = input.document();
    return switch (operator) {
      case Project project -> ready(document.only(project.fields()), input.rows());
      case Aggregate aggregate -> {
        Document outcome = new GroupDocument(aggregate).withoutMembers(document);
        yield aggregate.isSemantic()
            ? written(aggregate, exampleId, outcome, Map.of())
            : ready(outcome, Map.of());
      }
      case SemanticFilter filter when filter.isDroppedByCode(document) -> FOREIGN;
      case LogicalOperator other when !other.isSemantic() -> ready(document, input.rows());
      case SemanticFilter _, StreamJoin _ ->
          best(operator, exampleId) == null
              ? missing(operator, exampleId)
              : ready(document, input.rows());
      case LogicalOperator other -> written(other, exampleId, document, input.rows());
    };
  }

  private OperatorInput written(
      LogicalOperator operator, String exampleId, Document before, Map<String, Double> upstream) {
    Observation best = best(operator, exampleId);
    if (best == null) {
      return missing(operator, exampleId);
    }
    Document output = drawn(best);
    Map<String, Double> rows = new HashMap<>(upstream);
    if (best.outputs().size() > 1) {
      rows.put(operator.id(), best.outputCount());
    }
    return ready(
        operator instanceof Aggregate
            ? before.with(output.only(operator.writtenFields()))
            : before.with(output),
        rows);
  }

  /**
   * Draws one of the outputs of an operator, with which the example continues; the observation has
   * at least one. All outputs are equally likely, so that operators downstream are sampled on all
   * positions. The draw depends on operator and example only: implementations with equal outputs
   * continue with the same one.
   */
  public static Document drawn(Observation observation) {
    long hash = SeededHash.of(0, observation.operator() + "/" + observation.exampleId());
    return observation.outputs().get(Math.floorMod(hash, observation.outputs().size()));
  }

  private static OperatorInput ready(Document document, Map<String, Double> rows) {
    return new OperatorInput.Ready(document, null, rows);
  }

  /** The observation of the best implementation with a usable answer; null if there is none. */
  private @Nullable Observation best(LogicalOperator operator, String exampleId) {
    SampledOperator sampled = view.sampled(operator);
    for (PhysicalOperator arm : ranked(operator)) {
      if (sampled.byArm().getOrDefault(arm.id(), Map.of()).get(exampleId)
          instanceof Sample.Observed(Observation observation)) {
        Observation answer = sampled.evidence(observation).seen();
        if (usable(operator, answer)) {
          return answer;
        }
      }
    }
    return null;
  }

  private static boolean usable(LogicalOperator operator, Observation observation) {
    boolean passes = operator.decides() || operator instanceof StreamJoin;
    return observation.outcome() != Observation.Outcome.FAILED
        && (passes || !observation.outputs().isEmpty());
  }

  /**
   * Barred if the operator has no implementation or was sampled without success, here or on all
   * examples so far.
   */
  private OperatorInput missing(LogicalOperator operator, String exampleId) {
    boolean tried =
        view.sampled(operator).byArm().values().stream()
            .anyMatch(byExample -> byExample.containsKey(exampleId));
    boolean hopeless =
        view.arms(operator).isEmpty()
            || (!ranked(operator).isEmpty() && view.sampled(operator).answering().isEmpty());
    return tried || hopeless ? BARRED : new OperatorInput.Wanting(operator, exampleId);
  }

  /**
   * The implementation to sample if only an output is needed: the best by mean quality whose models
   * answer.
   *
   * @throws java.util.NoSuchElementException if the operator has no implementation
   */
  public PhysicalOperator bestArm(LogicalOperator operator) {
    return Stream.concat(ranked(operator).stream(), view.arms(operator).stream())
        .filter(arm -> !view.availability().isLeftOut(operator.id(), arm))
        .findFirst()
        .orElseGet(() -> view.arms(operator).getFirst());
  }

  private List<PhysicalOperator> ranked(LogicalOperator operator) {
    return ranking.computeIfAbsent(operator.id(), _ -> view.sampled(operator).armsByQuality());
  }
}
