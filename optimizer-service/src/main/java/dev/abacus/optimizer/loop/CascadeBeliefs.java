package dev.abacus.optimizer.loop;

import dev.abacus.optimizer.cost.Belief;
import dev.abacus.optimizer.cost.OperatorEstimate;
import dev.abacus.optimizer.learn.FittedClassifier;
import dev.abacus.optimizer.learn.Training.Decision;
import dev.abacus.optimizer.sampler.Arm;
import dev.abacus.schemas.observation.Observation;
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
 * what is believed of the model on all, as these calls are few.
 *
 * <p>Deviations: of the quality, the binomial one of the right answers and that of the model's,
 * weighted by their shares; of cost and latency, the model's together with that of the share.
 */
final class CascadeBeliefs {

  /** What is believed of the model counts as much as so many calls. */
  private static final double WEIGHT = 2;

  private CascadeBeliefs() {}

  /** The same beliefs, those of such cascades put in. */
  static Map<String, Map<Arm, Belief>> in(ProgramView view, Map<String, Map<Arm, Belief>> beliefs) {
    Map<String, Map<Arm, Belief>> all = new LinkedHashMap<>(beliefs);
    for (LogicalOperator operator : view.program().semanticOperators()) {
      Map<Arm, Belief> known = beliefs.getOrDefault(operator.id(), Map.of());
      Map<Arm, Belief> derived = new TreeMap<>(known);
      view.arms(operator)
          .forEach(arm -> {
            if (arm instanceof LearnedCascade cascade && Learnt.isUntrained(cascade)) {
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
      ProgramView view, LogicalOperator operator, LearnedCascade cascade, Map<Arm, Belief> known) {
    SortedMap<String, Decision> decisions = view.learnt().labelledDecisions(operator.id(), cascade);
    SortedMap<String, ModelCalls.Call> calls = view.calls().of(operator.id(), cascade.model());
    boolean answered =
        calls.values().stream().anyMatch(call -> call.seen().outcome() != Outcome.FAILED);
    Learnt.Embedding embedding = view.learnt().embedding(key(operator, cascade));
    if (decisions.size() < FittedClassifier.FEWEST_EXAMPLES || !answered || embedding == null) {
      return null;
    }
    SortedMap<String, ModelCalls.Call> passed = new TreeMap<>(calls);
    passed
        .keySet()
        .removeIf(example -> !decisions.containsKey(example) || decisions.get(example).alone());
    Belief model = known.get(Arm.named(new ModelSelection(cascade.model()).id()));
    Rest rest = Rest.of(operator, passed.values(), calls.values(), model);
    return combined(operator, decisions.values(), embedding, rest, calls.size());
  }

  private static Learnt.Key key(LogicalOperator operator, LearnedCascade cascade) {
    return new Learnt.Key(operator.id(), cascade.embedder());
  }

  private static Belief combined(
      LogicalOperator operator,
      Collection<Decision> decisions,
      Learnt.Embedding embedding,
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

  /** What the model does with the examples that are passed on. */
  private record Rest(
      OperatorEstimate mean,
      double qualityDeviation,
      double costDeviation,
      double latencyDeviation) {

    static Rest of(
        LogicalOperator operator,
        Collection<ModelCalls.Call> passed,
        Collection<ModelCalls.Call> all,
        @Nullable Belief model) {
      OperatorEstimate believed = model == null ? null : model.mean();
      ToDoubleFunction<ModelCalls.Call> cost = call -> call.seen().cost();
      ToDoubleFunction<ModelCalls.Call> outputs = call -> outputs(operator, call.seen());
      List<ModelCalls.Call> scored = scored(passed);
      List<ModelCalls.Call> allScored = scored(all);
      double quality = believed == null ? mean(allScored, Rest::quality) : believed.quality();
      OperatorEstimate mean =
          new OperatorEstimate(
              shrunk(scored, Rest::quality, quality),
              shrunk(passed, cost, believed == null ? mean(all, cost) : believed.cost()),
              shrunk(
                  passed,
                  ModelCalls.Call::latency,
                  believed == null ? mean(all, ModelCalls.Call::latency) : believed.latency()),
              shrunk(
                  passed, outputs, believed == null ? mean(all, outputs) : believed.selectivity()));
      boolean modelled = model != null && model.qualityDeviation() > 0;
      return modelled
          ? new Rest(
              mean, model.qualityDeviation(), model.costDeviation(), model.latencyDeviation())
          : new Rest(
              mean,
              error(allScored, Rest::quality),
              relative(all, cost),
              relative(all, ModelCalls.Call::latency));
    }

    private static List<ModelCalls.Call> scored(Collection<ModelCalls.Call> calls) {
      return calls.stream().filter(call -> call.seen().quality() != null).toList();
    }

    private static double quality(ModelCalls.Call call) {
      Double quality = call.seen().quality();
      return quality == null ? 0 : quality;
    }

    /** A failure lets nothing through, and saves nothing behind it either. */
    private static double outputs(LogicalOperator operator, Observation seen) {
      return seen.outcome() == Outcome.FAILED || !(operator instanceof SemanticFilter)
          ? 1
          : seen.outputs().size();
    }

    private static double mean(
        Collection<ModelCalls.Call> calls, ToDoubleFunction<ModelCalls.Call> value) {
      return calls.stream().mapToDouble(value).average().orElse(0);
    }

    private static double shrunk(
        Collection<ModelCalls.Call> calls,
        ToDoubleFunction<ModelCalls.Call> value,
        double believed) {
      double sum = calls.stream().mapToDouble(value).sum();
      return (sum + WEIGHT * believed) / (calls.size() + WEIGHT);
    }

    /** The standard error of the mean. */
    private static double error(
        Collection<ModelCalls.Call> calls, ToDoubleFunction<ModelCalls.Call> value) {
      int n = calls.size();
      double mean = mean(calls, value);
      double squares =
          calls.stream().mapToDouble(call -> Math.pow(value.applyAsDouble(call) - mean, 2)).sum();
      return n < 2 ? 0 : Math.sqrt(squares / (n - 1) / n);
    }

    private static double relative(
        Collection<ModelCalls.Call> calls, ToDoubleFunction<ModelCalls.Call> value) {
      double mean = mean(calls, value);
      return mean > 0 ? error(calls, value) / mean : 0;
    }
  }
}
