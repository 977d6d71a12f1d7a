package dev.abacus.optimizer.loop.decide;

import dev.abacus.optimizer.estimate.Belief;
import dev.abacus.optimizer.estimate.LiveAmounts;
import dev.abacus.optimizer.estimate.Loadings;
import dev.abacus.optimizer.estimate.OperatorEvidence;
import dev.abacus.optimizer.estimate.StoredAnswers;
import dev.abacus.optimizer.learned.FittedClassifier;
import dev.abacus.optimizer.learned.TrainingResult.Decision;
import dev.abacus.optimizer.loop.state.EvidenceKey;
import dev.abacus.optimizer.loop.state.LearnedParameters;
import dev.abacus.optimizer.loop.state.ProgramSnapshot;
import dev.abacus.optimizer.sampling.Arm;
import dev.abacus.optimizer.search.cost.OperatorEstimate;
import dev.abacus.schemas.observation.MatchCounts;
import dev.abacus.schemas.observation.Observation;
import dev.abacus.schemas.observation.Observation.Outcome;
import dev.abacus.schemas.plan.ModelSelection;
import dev.abacus.schemas.plan.PhysicalOperator.Cascade;
import dev.abacus.schemas.plan.Range;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.QualityMetric;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Estimates cascades whose classifier was cross-validated on labelled examples, without samples of
 * the cascade itself:
 *
 * <pre>
 *   classifier answers  share s      precision by the labels, cost of the features
 *   model answers       share 1 − s  estimate from the model's calls on such examples
 * </pre>
 *
 * <p>Share and precision rest on all labelled examples, each decided by a classifier that was not
 * trained on it. Calls of the same model by any implementation count ({@link
 * SampledOperator#calls}). The mean of the few calls on examples passed to the model is shrunk
 * towards the model's estimate on all examples, with a weight that grows with the certainty of that
 * estimate.
 *
 * <p>Deviations: quality combines the binomial deviation of the classifier's answers with that of
 * the model, weighted by their shares; cost and latency combine that of the model with that of the
 * share.
 */
final class CascadeEstimator {

  /** Weight, in calls, of the quality of a model in its share of right decisions of one class. */
  private static final double WEIGHT_PER_CLASS = 4;

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
            if (arm instanceof Cascade cascade && LearnedParameters.isUntrained(cascade)) {
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
      ProgramSnapshot view, LogicalOperator operator, Cascade cascade, Map<Arm, Belief> known) {
    SortedMap<String, Decision> decisions =
        view.learned().labelledDecisions(operator.id(), cascade);
    SortedMap<String, Observation> calls = view.sampled(operator).calls(cascade.model());
    boolean answered = calls.values().stream().anyMatch(call -> call.outcome() != Outcome.FAILED);
    LearnedParameters.Embedding embedding =
        view.learned().embedding(new EvidenceKey(operator.id(), cascade.features()));
    if (decisions.size() < FittedClassifier.MIN_EXAMPLES || !answered || embedding == null) {
      return null;
    }
    Map<String, Decision> passedOn = new TreeMap<>(decisions);
    passedOn.values().removeIf(Decision::isAnswered);
    Collection<Observation> passed =
        calls.entrySet().stream()
            .filter(call -> passedOn.containsKey(call.getKey()))
            .map(Map.Entry::getValue)
            .toList();
    OperatorEvidence readings = view.sampled(operator).readings();
    LiveAmounts live = readings.live(cascade);
    ModelSelection model = new ModelSelection(cascade.model());
    PassedCalls rest =
        new PassedCalls(
            operator,
            live,
            readings.live(model).uncached(),
            passed,
            calls.values(),
            keptByLabel(operator, passedOn.values()),
            known.get(Arm.named(model.id())),
            known.values().stream().mapToDouble(one -> one.mean().quality()).average().orElse(0));
    Belief belief = combined(operator, decisions.values(), embedding, rest, calls.size());
    return operator.decides()
        ? ofFilter(
            belief,
            decisions,
            calls,
            view.program().validation().metric(operator.id()),
            rest.mean().quality())
        : belief;
  }

  /**
   * The estimate of a filter with the score by the program's metric, which is not the mean over
   * decisions. The model decides the documents that are passed to it with the shares of right
   * decisions of its calls, by class, shrunk towards its quality. The score is not better known
   * than the shares of both classes.
   */
  private static Belief ofFilter(
      Belief belief,
      Map<String, Decision> decisions,
      Map<String, Observation> calls,
      @Nullable QualityMetric metric,
      double ofModel) {
    if (metric instanceof QualityMetric.Judge
        || metric instanceof QualityMetric.Accuracy
        || decisions.values().stream().map(Decision::truth).distinct().count() < 2) {
      return belief;
    }
    double[] right = {WEIGHT_PER_CLASS * ofModel, WEIGHT_PER_CLASS * ofModel};
    double[] all = {WEIGHT_PER_CLASS, WEIGHT_PER_CLASS};
    decisions.forEach((example, decision) -> {
      Observation call = calls.get(example);
      if (call != null) {
        boolean keep = "true".equals(decision.truth());
        Outcome outcome = call.outcome();
        right[keep ? 1 : 0] += outcome == (keep ? Outcome.KEPT : Outcome.DROPPED) ? 1 : 0;
        all[keep ? 1 : 0]++;
      }
    });
    double[] correct = new double[2];
    double[] wrong = new double[2];
    for (Decision decision : decisions.values()) {
      int keep = "true".equals(decision.truth()) ? 1 : 0;
      double share =
          !decision.isAnswered() ? right[keep] / all[keep] : decision.isCorrect() ? 1 : 0;
      correct[keep] += share;
      wrong[keep] += 1 - share;
    }
    Range score =
        new MatchCounts(correct[1], wrong[0], wrong[1], correct[0]).filterScore(metric, 1);
    double deviation =
        (Objects.requireNonNull(score.high()) - Objects.requireNonNull(score.low())) / 2;
    double known = Math.pow(belief.quality().deviation(), 2);
    double rest = Math.sqrt(Math.max(0, deviation * deviation - known));
    return belief
        .withMean(belief.mean().withQuality(score.mean()))
        .withQuality(belief.quality().plus(Loadings.own(rest)));
  }

  /** The share of documents that a filter keeps by the labels; 1 for a map. */
  private static double keptByLabel(LogicalOperator operator, Collection<Decision> decisions) {
    return operator.decides()
        ? decisions.stream()
            .mapToDouble(decision -> "true".equals(decision.truth()) ? 1 : 0)
            .average()
            .orElse(1)
        : 1;
  }

  private static Belief combined(
      LogicalOperator operator,
      Collection<Decision> decisions,
      LearnedParameters.Embedding embedding,
      PassedCalls rest,
      int samples) {
    int n = decisions.size();
    List<Decision> alone = decisions.stream().filter(Decision::isAnswered).toList();
    double right = alone.stream().filter(Decision::isCorrect).count();
    double kept =
        operator.decides()
            ? alone.stream().filter(decision -> "true".equals(decision.answer())).count()
            : alone.size();
    double share = (double) alone.size() / n;
    double others = 1 - share;
    OperatorEstimate model = rest.mean();
    // With Jeffreys' prior, so that few answers that are all right are not certain.
    double precision = (right + 0.5) / (alone.size() + 1);
    StoredAnswers.Remainder stored = rest.live().stored();
    OperatorEstimate mean =
        new OperatorEstimate(
            Math.clamp(right / n + others * model.quality(), 0, 1),
            stored.cost() * embedding.usd() + others * model.cost(),
            stored.latency() * embedding.seconds() + others * model.latency(),
            kept / n + others * model.selectivity());
    double byShare = others > 0 ? Math.sqrt(share * others / n) / others : 0;
    Loadings ofShare = Loadings.own(byShare);
    double ofCost = part(others * model.cost(), mean.cost());
    double ofLatency = part(others * model.latency(), mean.latency());
    Loadings reuse = stored.error(operator.id());
    return new Belief(
        mean,
        samples,
        rest.qualityError()
            .times(others)
            .plus(Loadings.own(Math.sqrt(share * precision * (1 - precision) / n))),
        rest.costError().plus(ofShare).times(ofCost).plus(reuse.times(1 - ofCost)),
        rest.latencyError().plus(ofShare).times(ofLatency).plus(reuse.times(1 - ofLatency)),
        rest.outputsError()
            .times(others)
            .plus(Loadings.own(Math.sqrt(kept / n * Math.max(0, 1 - kept / n) / n))));
  }

  private static double part(double one, double all) {
    return all > 0 ? one / all : 0;
  }
}
