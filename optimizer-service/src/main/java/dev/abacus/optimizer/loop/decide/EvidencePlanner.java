package dev.abacus.optimizer.loop.decide;

import com.fasterxml.jackson.databind.JsonNode;
import dev.abacus.optimizer.learned.BinomialBound;
import dev.abacus.optimizer.learned.FittedClassifier;
import dev.abacus.optimizer.learned.JoinThresholds;
import dev.abacus.optimizer.loop.budget.BudgetMeter;
import dev.abacus.optimizer.loop.event.DrawnSample;
import dev.abacus.optimizer.loop.input.OperatorInput;
import dev.abacus.optimizer.loop.input.OperatorInputs;
import dev.abacus.optimizer.loop.input.SampleRequest;
import dev.abacus.optimizer.loop.state.EvidenceKey;
import dev.abacus.optimizer.loop.state.LearnedParameters;
import dev.abacus.optimizer.loop.state.ProgramSnapshot;
import dev.abacus.schemas.observation.SampleTask;
import dev.abacus.schemas.observation.ValidationExample;
import dev.abacus.schemas.plan.PhysicalOperator;
import dev.abacus.schemas.plan.PhysicalOperator.Cascade;
import dev.abacus.schemas.program.AnswerClasses;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.ReferenceJoin;
import dev.abacus.schemas.program.StreamJoin;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Plans the embedding of labelled examples, so that classifiers and the thresholds of embedding
 * joins are learned from all labelled examples, not only from those that an implementation is
 * sampled on. Embedding calls no model. For model cascades, plans calls of the proxy: {@value
 * #MOST_PAID} at most, only if the budget suffices to reach the target, and no more after a batch
 * without a usable answer.
 *
 * <pre>
 *   labelled examples ── already embedded? ── no ──► {@value EvidenceKey#BATCH} with each wave of samples
 * </pre>
 *
 * <p>A full batch means that more batches follow; the last batch is always smaller. So the tasks
 * alone tell when the evidence is complete.
 *
 * <p>Embedding starts with the first wave of samples and continues until all examples are embedded.
 * Examples that arrive later are embedded together with waves. They do not restart a finished
 * search, so that a plan does not change with every new label.
 *
 * <p>If an operator reads only fields of the source document, the document of the example is
 * embedded; else its input, as soon as that is ready.
 *
 * @param order ids of the examples in the order in which to embed them
 */
record EvidencePlanner(
    ProgramSnapshot view,
    OperatorInputs inputs,
    TaskFactory tasks,
    BudgetMeter budget,
    List<String> order) {

  /** Maximum number of examples per operator and embedder: more hardly improve a classifier. */
  static final int MOST = 2_000;

  /** The maximum for the proxy of a model cascade, whose features are paid for. */
  static final int MOST_PAID = 200;

  /** The maximum for joins, where each example yields about 24 pairs. */
  static final int MOST_OF_A_JOIN = 200;

  /**
   * Plans the next batch of each operator and embedder.
   *
   * @param sampling whether the wave holds samples
   */
  List<DrawnSample> next(boolean sampling) {
    List<DrawnSample> samples = new ArrayList<>();
    for (LogicalOperator operator : view.program().semanticOperators()) {
      learners(operator)
          .forEach((key, physical) -> {
            int before = view.embedded().of(key).size();
            boolean useless = key.isPaid() && before > 0 && view.learned().embedding(key) == null;
            if (!useless && (sampling || before == 0 || view.embedded().isGrowing(key))) {
              samples.addAll(draw(key, operator, physical));
            }
          });
    }
    return samples;
  }

  /** One untrained implementation for each embedder. */
  private Map<EvidenceKey, PhysicalOperator> learners(LogicalOperator operator) {
    Map<EvidenceKey, PhysicalOperator> learners = new LinkedHashMap<>();
    for (PhysicalOperator arm : view.arms(operator)) {
      EvidenceKey key = EvidenceKey.of(operator.id(), arm);
      if (key != null && LearnedParameters.isUntrained(arm)) {
        learners.putIfAbsent(key, arm);
      }
    }
    return learners;
  }

  private List<DrawnSample> draw(
      EvidenceKey key, LogicalOperator operator, PhysicalOperator physical) {
    List<SampleRequest> requests = new ArrayList<>();
    for (ValidationExample example : telling(operator, key)) {
      OperatorInput.Ready input =
          view.embedded().of(key).contains(example.id()) ? null : input(operator, example);
      if (input != null) {
        requests.add(new SampleRequest(operator, physical, example.id(), input));
      }
    }
    int most = key.isPaid() ? affordable(key, requests) : requests.size();
    List<DrawnSample> samples = new ArrayList<>();
    requests.stream()
        .limit(most == key.batch() ? most - 1 : Math.min(most, key.batch()))
        .forEach(request -> {
          DrawnSample sample = tasks.evidence(request);
          if (tasks.mayIssue(sample.task())
              && budget.reserve(List.of(sample.task()), operator.id(), false)) {
            samples.add(sample);
          }
        });
    return samples;
  }

  /**
   * How many calls of a proxy the budget pays for; 0 before the first call if that is not enough to
   * reach the target.
   */
  private int affordable(EvidenceKey key, List<SampleRequest> requests) {
    if (requests.isEmpty() || !(requests.getFirst().physical() instanceof Cascade cascade)) {
      return 0;
    }
    SampleTask first = tasks.evidence(requests.getFirst()).task();
    int most = 0;
    while (most < requests.size() && budget.affords(first, most + 1, key.operator())) {
      most++;
    }
    int least =
        // Half of few examples calibrate.
        Math.max(FittedClassifier.MIN_EXAMPLES, 2 * BinomialBound.minimumTrials(cascade.target()));
    return view.embedded().of(key).isEmpty() && most < least ? 0 : most;
  }

  /** The examples with a usable label; empty if they are too few to learn from. */
  private List<ValidationExample> telling(LogicalOperator operator, EvidenceKey key) {
    boolean join = operator instanceof ReferenceJoin || operator instanceof StreamJoin;
    List<ValidationExample> telling = new ArrayList<>();
    int matches = 0;
    for (String id : order) {
      ValidationExample example = view.example(id);
      JsonNode label = example == null ? null : example.label(operator.id());
      if (example != null && label != null && tells(operator, label)) {
        telling.add(example);
        matches += label.isArray() ? label.size() : label.asBoolean(true) ? 1 : 0;
      }
    }
    boolean enough =
        join
            ? matches >= BinomialBound.minimumTrials(JoinThresholds.TARGET)
            : telling.size() >= FittedClassifier.MIN_EXAMPLES;
    int limit = join ? MOST_OF_A_JOIN : key.isPaid() ? MOST_PAID : MOST;
    int most = Math.min(telling.size(), limit);
    return enough ? telling.subList(0, most) : List.of();
  }

  private static boolean tells(LogicalOperator operator, JsonNode label) {
    if (operator instanceof ReferenceJoin || operator instanceof StreamJoin) {
      return !label.isNull();
    }
    AnswerClasses classes = AnswerClasses.of(operator);
    JsonNode said = AnswerClasses.said(operator, label);
    return classes != null && said != null && classes.find(said) != null;
  }

  private OperatorInput.@Nullable Ready input(LogicalOperator operator, ValidationExample example) {
    if (view.definition().readsSource(operator, example.source())) {
      return new OperatorInput.Ready(example.document(), example.label(operator.id()));
    }
    return inputs.of(operator, example.id()) instanceof OperatorInput.Ready ready
            && ready.label() != null
        ? ready
        : null;
  }
}
