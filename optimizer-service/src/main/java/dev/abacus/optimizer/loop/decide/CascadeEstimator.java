package dev.abacus.optimizer.loop.decide;

import dev.abacus.optimizer.learned.FittedClassifier;
import dev.abacus.optimizer.learned.Training.Decision;
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
 * What is believed of cascades whose classifier was tried on labelled examples.
 *
 * <pre>
 *   alone  (share s of all labelled examples)  right or wrong by their labels, costs an embedding
 *   passed on (1 − s)                          what the model's calls on such examples came to
 * </pre>
 *
 * <p>The share, and how often the classifier is right, rest on all labelled examples, each decided
 * by a classifier that had not seen it; only what the model does with the rest takes samples, and
 * calls of the same model count, whoever made them ({@link ModelCalls}). So a cascade need not be
 * sampled itself. The mean of the model's calls on examples that are passed on is shrunk towards
 * what is believed of the model on all, the more the surer that is, as these calls are few. How
 * much of a filter's input is let through follows from the labels first of all.
 *
 * <p>Deviations: of the quality, the binomial one of the right answers and that of the model's,
 * weighted by their shares; of cost and latency, the model's together with that of the share.
 */
public final class CascadeEstimator {

  /** What is believed of the model counts as much as so many calls, at least. */
  private static final double WEIGHT = 2;

  private static final double MOST_WEIGHT = 20;

  /**
   * Labels say how much a filter should let through; calls only how the model departs from that.
   */
  private static final double WEIGHT_OF_LABELS = 10;

  /** Of the scores of calls, before any is seen: most are 0 or 1. */
  private static final double VARIANCE = 0.15;

  private CascadeEstimator() {}

  /** The same beliefs, those of such cascades put in. */
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

  /** Null if its classifier was tried on too few labelled examples, or its model never answered. */
  private static @Nullable Belief of(
      ProgramSnapshot view,
      LogicalOperator operator,
      LearnedCascade cascade,
      Map<Arm, Belief> known) {
    SortedMap<String, Decision> decisions = view.learnt().labelledDecisions(operator.id(), cascade);
    SortedMap<String, ModelCalls.Call> calls = view.calls().of(operator.id(), cascade.model());
    boolean answered =
        calls.values().stream().anyMatch(call -> call.seen().outcome() != Outcome.FAILED);
    LearnedParameters.Embedding embedding = view.learnt().embedding(key(operator, cascade));
    if (decisions.size() < FittedClassifier.FEWEST_EXAMPLES || !answered || embedding == null) {
      return null;
    }
    Map<String, Decision> passedOn = new TreeMap<>(decisions);
    passedOn.values().removeIf(Decision::alone);
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

  /** The share that a filter should let through; of a map all. */
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
    List<Decision> alone = decisions.stream().filter(Decision::alone).toList();
    double right = alone.stream().filter(Decision::right).count();
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
   * What the model does with the examples that are passed on.
   *
   * @param passed calls on such examples
   * @param all calls on any example
   * @param kept share of examples passed on that should be let through, by their labels
   * @param model what is believed of it on all examples; null if nothing
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

    /** The surer the belief, the more calls it is worth. */
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

    /** A failure lets nothing through, and saves nothing behind it either. */
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

    /** The standard error of the mean; a few calls that agree do not make it 0. */
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
