package dev.abacus.optimizer.loop.decide;

import dev.abacus.optimizer.loop.event.DrawnSample;
import dev.abacus.optimizer.loop.input.OperatorInput;
import dev.abacus.optimizer.loop.input.OperatorInputs;
import dev.abacus.optimizer.loop.input.SampleRequest;
import dev.abacus.optimizer.loop.state.ProgramSnapshot;
import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.plan.PhysicalOperator;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.SemanticFilter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Samples of calls for several documents are full batches, as live documents fill them under load:
 * the answers to 16 documents in one call are not those to one document in a call of 16 at most.
 *
 * <p>In the search, each input of a batch is a sample, so one call gives a score of each. The runs
 * of a plan share calls as far as they are needed at the same time. Inputs that are no new sample
 * fill the call as companions, whose outputs are not scored.
 */
record BatchedSamples(ProgramSnapshot view, OperatorInputs inputs, TaskFactory tasks) {

  private static boolean isShared(DrawnSample sample) {
    return sample.task().physical().documentsPerCall() > 1
        && !isDropped(sample.task().operator(), sample.task().input());
  }

  /** Whether code decides, so that no call is made. */
  private static boolean isDropped(LogicalOperator operator, Document input) {
    return operator instanceof SemanticFilter filter && filter.isDroppedByCode(input);
  }

  /**
   * The samples of the call that a sample of the search belongs to.
   *
   * @param examples ids of the examples of the operator in the search, in the order in which to use
   *     them
   * @param drawn ids of the tasks of the wave so far
   */
  List<DrawnSample> around(DrawnSample sample, List<String> examples, Set<String> drawn) {
    if (!isShared(sample)) {
      return List.of(sample);
    }
    PhysicalOperator physical = sample.task().physical();
    Set<String> sampled =
        view.sampled(sample.task().operator())
            .byArm()
            .getOrDefault(physical.id(), Map.of())
            .keySet();
    List<DrawnSample> samples = new ArrayList<>(List.of(sample));
    List<DrawnSample> companions = new ArrayList<>();
    for (String example : examples) {
      DrawnSample other =
          samples.size() < physical.documentsPerCall() ? other(sample, example) : null;
      if (other != null) {
        boolean isNew =
            !sampled.contains(example)
                && !drawn.contains(other.task().id())
                && tasks.mayIssue(other.task());
        (isNew ? samples : companions).add(other);
      }
    }
    return tasks.inOneCall(samples, companions, physical.documentsPerCall());
  }

  /** A task of the same implementation on another example; null if that has no usable input. */
  private @Nullable DrawnSample other(DrawnSample sample, String example) {
    LogicalOperator operator = sample.task().operator();
    return !example.equals(sample.task().exampleId())
            && inputs.of(operator, example) instanceof OperatorInput.Ready input
            && !isDropped(operator, input.document())
        ? tasks.create(
            new SampleRequest(operator, sample.task().physical(), example, input),
            sample.stamp().chargedTo())
        : null;
  }

  /**
   * Groups the runs of plans by call; a run that shares none is alone.
   *
   * @param examples ids of the examples that may be companions, in the order in which to use them
   */
  List<List<DrawnSample>> calls(List<DrawnSample> runs, List<String> examples) {
    List<List<DrawnSample>> calls = new ArrayList<>();
    Map<String, List<DrawnSample>> shared = new LinkedHashMap<>();
    for (DrawnSample run : runs) {
      if (isShared(run)) {
        shared
            .computeIfAbsent(
                run.task().operator().id() + "=" + run.task().physical().id(),
                _ -> new ArrayList<>())
            .add(run);
      } else {
        calls.add(List.of(run));
      }
    }
    for (List<DrawnSample> alike : shared.values()) {
      int size = alike.getFirst().task().physical().documentsPerCall();
      for (int from = 0; from < alike.size(); from += size) {
        List<DrawnSample> call = alike.subList(from, Math.min(alike.size(), from + size));
        List<DrawnSample> companions = new ArrayList<>();
        for (String example : examples) {
          DrawnSample other =
              call.size() + companions.size() < size ? other(call.getFirst(), example) : null;
          if (other != null) {
            companions.add(other);
          }
        }
        calls.add(tasks.inOneCall(call, companions, size));
      }
    }
    return calls;
  }
}
