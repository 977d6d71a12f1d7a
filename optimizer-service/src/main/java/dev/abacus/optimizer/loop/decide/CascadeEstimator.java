package dev.abacus.optimizer.loop.decide;

import dev.abacus.optimizer.learned.FittedClassifier;
import dev.abacus.optimizer.learned.TrainingResult.Decision;
import dev.abacus.optimizer.loop.state.EvidenceKey;
import dev.abacus.optimizer.loop.state.LearnedParameters;
import dev.abacus.optimizer.loop.state.ModelCalls;
import dev.abacus.optimizer.loop.state.ProgramSnapshot;
import dev.abacus.optimizer.sampling.Arm;
import dev.abacus.optimizer.search.cost.Belief;
import dev.abacus.optimizer.search.cost.OperatorEstimate;
import dev.abacus.schemas.observation.Observation.Outcome;
import dev.abacus.schemas.plan.PhysicalOperator.LearnedCascade;
import dev.abacus.schemas.plan.PhysicalOperator.ModelSelection;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.SemanticFilter;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * Estimates cascades whose classifier was cross-validated on labelled examples, without samples of
 * the cascade itself:
 *
 * <pre>
 *   classifier answers  share s      precision by the labels, cost of an embedding
 *   model answers       share 1 − s  estimate from the model's calls on such examples
 * </pre>
 *
 * <p>Share and precision rest on all labelled examples, each decided by a classifier that was not
 * trained on it. Calls of the same model by any implementation count ({@link ModelCalls}). The mean
 * of the few calls on examples passed to the model is shrunk towards the model's estimate on all
 * examples, with a weight that grows with the certainty of that estimate.
 *
 * <p>Deviations: quality combines the binomial deviation of the classifier's answers with that of
 * the model, weighted by their shares; cost and latency combine that of the model with that of the
 * share.
 */
final class CascadeEstimator {

  /** Minimum weight, in calls, of the estimate of the model on all examples. */
  private static final double WEIGHT = 2;

  /** Maximum of that weight. */
  private static final double MOST_WEIGHT = 20;

  /** Weight, in calls, of the labels in the selectivity of a filter. */
  private static final double WEIGHT_OF_LABELS = 10;

  /** Prior variance of scores, most of which are 0 or 1. */
  private static final double VARIANCE = 0.15;

  private CascadeEstimator() {}

  /** Adds the estimates of untrained cascades. */
  static Map<String, Map<Arm, Belief>> in(
      ProgramSnapshot view, Map<String, Map<Arm, Belief>> beliefs) {
    Map<String, Map<Arm, Belief>> all = new LinkedHashMap<>(beliefs);
    for (LogicalOperator operator : view.program().semanticOperators()) {
      Map<Arm, Belief> known = beliefs.getOrDefault(operator.id(), Map.of());
      Map<Arm, Belief> derived = new TreeMap<>(known);
      view.arms(operator)
          .forEach(arm -> {
            if (arm instanceof LearnedCascade cascade && LearnedParameters.isUntrained(cascade)) {
              Belief belief = of(view, operator, cascade, known);
              if (belief != null) {
                derived.put(Arm.named(cascade.id()), belief);
              }
            }
          });
      all.put(operator.id(), derived);
    }
    return all;
  }

  /** Null if there are too few labelled examples or the model never answered. */
  private static @Nullable Belief of(
      ProgramSnapshot view,
      LogicalOperator operator,
      LearnedCascade cascade,
      Map<Arm, Belief> known) {
    SortedMap<String, Decision> decisions =
        view.learned().labelledDecisions(operator.id(), cascade);
    SortedMap<String, ModelCalls.Call> calls = view.calls().of(operator.id(), cascade.model());
    boolean answered =
        calls.values().stream().anyMatch(call -> call.seen().outcome() != Outcome.FAILED);
    LearnedParameters.Embedding embedding = view.learned().embedding(key(operator, cascade));
    if (decisions.size() < FittedClassifier.MIN_EXAMPLES || !answered || embedding == null) {
      return null;
    }
    Map<String, Decision> passedOn = new TreeMap<>(decisions);
    passedOn.values().removeIf(Decision::isAnswered);
    Collection<ModelCalls.Call> passed =
        calls.entrySet().stream()
            .filter(call -> passedOn.containsKey(call.getKey()))
            .map(Map.Entry::getValue)
            .toList();
    Rest rest =
        new Rest(
            operator,
            passed,
            calls.values(),
            keptByLabel(operator, passedOn.values()),
            known.get(Arm.named(new ModelSelection(cascade.model()).id())),
            known.values().stream().mapToDouble(one -> one.mean().quality()).average().orElse(0));
    return combined(operator, decisions.values(), embedding, rest, calls.size());
  }

  /** The share of documents that a filter keeps by the labels; 1 for a map. */
  private static double keptByLabel(LogicalOperator operator, Collection<Decision> decisions) {
    return operator instanceof SemanticFilter
        ? decisions.stream()
            .mapToDouble(decision -> "true".equals(decision.truth()) ? 1 : 0)
            .average()
            .orElse(1)
        : 1;
  }

  private static EvidenceKey key(LogicalOperator operator, LearnedCascade cascade) {
    return new EvidenceKey(operator.id(), cascade.embedder());
  }

  private static Belief combined(
      LogicalOperator operator,
      Collection<Decision> decisions,
      LearnedParameters.Embedding embedding,
      Rest rest,
      int samples) {
    int n = decisions.size();
    List<Decision> alone = decisions.stream().filter(Decision::isAnswered).toList();
    double right = alone.stream().filter(Decision::isCorrect).count();
    double kept =
        operator instanceof SemanticFilter
            ? alone.stream().filter(decision -> "true".equals(decision.answer())).count()
            : alone.size();
    double share = (double) alone.size() / n;
    double others = 1 - share;
    OperatorEstimate model = rest.mean();
    double precision = alone.isEmpty() ? 1 : right / alone.size();
    OperatorEstimate mean =
        new OperatorEstimate(
            Math.clamp(right / n + others * model.quality(), 0, 1),
            embedding.usd() + others * model.cost(),
            embedding.seconds() + others * model.latency(),
            kept / n + others * model.selectivity());
    double byShare = others > 0 ? Math.sqrt(share * others / n) / others : 0;
    double costDeviation = Math.hypot(byShare, rest.costDeviation());
    double latencyDeviation = Math.hypot(byShare, rest.latencyDeviation());
    return new Belief(
        mean,
        samples,
        Math.hypot(
            Math.sqrt(share * precision * (1 - precision) / n), others * rest.qualityDeviation()),
        costDeviation * part(others * model.cost(), mean.cost()),
        latencyDeviation * part(others * model.latency(), mean.latency()));
  }

  private static double part(double one, double all) {
    return all > 0 ? one / all : 0;
  }

  /**
   * The estimate of the model on examples that the classifier passes to it.
   *
   * @param passed calls on such examples
   * @param all calls on all examples
   * @param kept share of such examples that a filter keeps by the labels
   * @param model the estimate of the model on all examples; null if there is none
   * @param usual mean quality of all implementations of the operator
   */
  private record Rest(
      LogicalOperator operator,
      Collection<ModelCalls.Call> passed,
      Collection<ModelCalls.Call> all,
      double kept,
      @Nullable Belief model,
      double usual) {

    OperatorEstimate mean() {
      OperatorEstimate believed = model == null ? null : model.mean();
      ToDoubleFunction<ModelCalls.Call> cost = call -> call.seen().cost();
      ToDoubleFunction<ModelCalls.Call> latency = ModelCalls.Call::latency;
      return new OperatorEstimate(
          shrunk(
              scored(passed),
              Rest::quality,
              believed == null
                  ? shrunk(scored(all), Rest::quality, usual, WEIGHT)
                  : believed.quality(),
              weight()),
          shrunk(passed, cost, believed == null ? average(all, cost) : believed.cost(), WEIGHT),
          shrunk(
              passed,
              latency,
              believed == null ? average(all, latency) : believed.latency(),
              WEIGHT),
          shrunk(passed, this::outputs, kept, WEIGHT_OF_LABELS));
    }

    /** A more certain estimate weighs more calls. */
    private double weight() {
      double deviation = model == null ? 0 : model.qualityDeviation();
      return deviation > 0
          ? Math.clamp(VARIANCE / (deviation * deviation), WEIGHT, MOST_WEIGHT)
          : WEIGHT;
    }

    double qualityDeviation() {
      return model != null && model.qualityDeviation() > 0
          ? model.qualityDeviation()
          : error(scored(all), Rest::quality, 1);
    }

    double costDeviation() {
      return model != null && model.costDeviation() > 0
          ? model.costDeviation()
          : relative(call -> call.seen().cost());
    }

    double latencyDeviation() {
      return model != null && model.latencyDeviation() > 0
          ? model.latencyDeviation()
          : relative(ModelCalls.Call::latency);
    }

    private double relative(ToDoubleFunction<ModelCalls.Call> value) {
      double mean = average(all, value);
      return mean > 0 ? error(all, value, mean) / mean : 0;
    }

    private static List<ModelCalls.Call> scored(Collection<ModelCalls.Call> calls) {
      return calls.stream().filter(call -> call.seen().quality() != null).toList();
    }

    private static double quality(ModelCalls.Call call) {
      Double quality = call.seen().quality();
      return quality == null ? 0 : quality;
    }

    /** A failure counts as one output, so that it does not reduce the cost downstream. */
    private double outputs(ModelCalls.Call call) {
      boolean dropped =
          operator instanceof SemanticFilter && call.seen().outcome() == Outcome.DROPPED;
      return dropped ? 0 : 1;
    }

    private static double average(
        Collection<ModelCalls.Call> calls, ToDoubleFunction<ModelCalls.Call> value) {
      return calls.stream().mapToDouble(value).average().orElse(0);
    }

    private static double shrunk(
        Collection<ModelCalls.Call> calls,
        ToDoubleFunction<ModelCalls.Call> value,
        double believed,
        double weight) {
      double sum = calls.stream().mapToDouble(value).sum();
      return (sum + weight * believed) / (calls.size() + weight);
    }

    /** The standard error of the mean with a prior variance, so above 0 for equal values. */
    private static double error(
        Collection<ModelCalls.Call> calls, ToDoubleFunction<ModelCalls.Call> value, double unit) {
      int n = calls.size();
      double mean = average(calls, value);
      double squares =
          calls.stream().mapToDouble(call -> Math.pow(value.applyAsDouble(call) - mean, 2)).sum();
      double variance = (squares + WEIGHT * VARIANCE * unit * unit) / (n - 1 + WEIGHT);
      return n == 0 ? 0 : Math.sqrt(variance / n);
    }
  }
}
