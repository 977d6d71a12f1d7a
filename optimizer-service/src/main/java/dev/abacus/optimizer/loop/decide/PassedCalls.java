package dev.abacus.optimizer.loop.decide;

import dev.abacus.optimizer.estimate.Belief;
import dev.abacus.optimizer.estimate.LiveAmounts;
import dev.abacus.optimizer.estimate.Loadings;
import dev.abacus.optimizer.search.cost.OperatorEstimate;
import dev.abacus.schemas.observation.Observation;
import dev.abacus.schemas.observation.Observation.Outcome;
import dev.abacus.schemas.program.LogicalOperator;
import java.util.Collection;
import java.util.List;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * The estimate of the model on examples that the classifier passes to it.
 *
 * @param live how live documents differ from those of the calls
 * @param uncached the part of the cost of a call that the prompt caches of providers leave
 * @param passed calls on such examples
 * @param all calls on all examples
 * @param kept share of such examples that a filter keeps by the labels
 * @param model the estimate of the model on all examples; null if there is none
 * @param usual mean quality of all implementations of the operator
 */
record PassedCalls(
    LogicalOperator operator,
    LiveAmounts live,
    double uncached,
    Collection<Observation> passed,
    Collection<Observation> all,
    double kept,
    @Nullable Belief model,
    double usual) {

  /** Minimum weight, in calls, of the estimate of the model on all examples. */
  private static final double WEIGHT = 2;

  /** Maximum of that weight. */
  private static final double MOST_WEIGHT = 20;

  /** Weight, in calls, of the labels in the selectivity of a filter. */
  private static final double WEIGHT_OF_LABELS = 10;

  /** Prior variance of scores, most of which are 0 or 1. */
  private static final double VARIANCE = 0.15;

  OperatorEstimate mean() {
    OperatorEstimate believed = model == null ? null : model.mean();
    ToDoubleFunction<Observation> cost = call -> live.stored().cost() * uncached * call.cost();
    ToDoubleFunction<Observation> latency = call -> live.stored().latency() * call.latency();
    return new OperatorEstimate(
        shrunk(
            scored(passed),
            PassedCalls::quality,
            believed == null
                ? shrunk(scored(all), PassedCalls::quality, usual, WEIGHT)
                : believed.quality(),
            weight()),
        shrunk(passed, cost, believed == null ? average(all, cost) : believed.cost(), WEIGHT),
        shrunk(
            passed, latency, believed == null ? average(all, latency) : believed.latency(), WEIGHT),
        shrunk(passed, this::outputs, kept, WEIGHT_OF_LABELS));
  }

  /** A more certain estimate weighs more calls. */
  private double weight() {
    double deviation = model == null ? 0 : model.quality().deviation();
    return deviation > 0
        ? Math.clamp(VARIANCE / (deviation * deviation), WEIGHT, MOST_WEIGHT)
        : WEIGHT;
  }

  Loadings qualityError() {
    return model != null && model.quality().deviation() > 0
        ? model.quality()
        : Loadings.own(error(scored(all), PassedCalls::quality, 1));
  }

  Loadings costError() {
    return amountError(Belief::cost, live.cost(), Observation::cost);
  }

  /** That of the model over all documents; none if it is unknown. */
  Loadings outputsError() {
    return model == null ? Loadings.NONE : model.outputs();
  }

  Loadings latencyError() {
    return amountError(Belief::latency, live.latency(), Observation::latency);
  }

  /** The error of the logarithm of an amount: that of the model, else that of its calls. */
  private Loadings amountError(
      Function<Belief, Loadings> ofModel, Loadings ofLive, ToDoubleFunction<Observation> value) {
    if (model != null && ofModel.apply(model).deviation() > 0) {
      return ofModel.apply(model);
    }
    double mean = average(all, value);
    return ofLive.plus(Loadings.own(mean > 0 ? error(all, value, mean) / mean : 0));
  }

  private static List<Observation> scored(Collection<Observation> calls) {
    return calls.stream().filter(call -> call.quality() != null).toList();
  }

  private static double quality(Observation call) {
    Double quality = call.quality();
    return quality == null ? 0 : quality;
  }

  /** A failure counts as one output, so that it does not reduce the cost downstream. */
  private double outputs(Observation call) {
    boolean dropped = operator.decides() && call.outcome() == Outcome.DROPPED;
    return dropped ? 0 : 1;
  }

  private static double average(
      Collection<Observation> calls, ToDoubleFunction<Observation> value) {
    return calls.stream().mapToDouble(value).average().orElse(0);
  }

  private static double shrunk(
      Collection<Observation> calls,
      ToDoubleFunction<Observation> value,
      double believed,
      double weight) {
    double sum = calls.stream().mapToDouble(value).sum();
    return (sum + weight * believed) / (calls.size() + weight);
  }

  /** The standard error of the mean with a prior variance, so above 0 for equal values. */
  private static double error(
      Collection<Observation> calls, ToDoubleFunction<Observation> value, double unit) {
    int n = calls.size();
    double mean = average(calls, value);
    double squares =
        calls.stream().mapToDouble(call -> Math.pow(value.applyAsDouble(call) - mean, 2)).sum();
    double variance = (squares + WEIGHT * VARIANCE * unit * unit) / (n - 1 + WEIGHT);
    return n == 0 ? 0 : Math.sqrt(variance / n);
  }
}
