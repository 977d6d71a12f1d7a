package dev.abacus.optimizer.sampling.surrogate;

import dev.abacus.optimizer.estimate.ArmStatistics;
import dev.abacus.optimizer.estimate.Belief;
import dev.abacus.optimizer.estimate.LiveAmounts;
import dev.abacus.optimizer.estimate.Loadings;
import dev.abacus.optimizer.estimate.Measurement;
import dev.abacus.optimizer.estimate.RandomEffect;
import dev.abacus.optimizer.estimate.RandomEffect.Kind;
import dev.abacus.optimizer.estimate.SelectivityPosterior;
import dev.abacus.optimizer.sampling.Arm;
import dev.abacus.optimizer.sampling.OperatorSamples;
import dev.abacus.optimizer.sampling.Outlook;
import dev.abacus.optimizer.sampling.Proposal;
import dev.abacus.optimizer.sampling.Proposal.Conclusion;
import dev.abacus.optimizer.sampling.Pull;
import dev.abacus.optimizer.sampling.SamplingPolicy;
import dev.abacus.optimizer.sampling.SamplingState;
import dev.abacus.optimizer.sampling.Stakes;
import dev.abacus.optimizer.search.cost.Priors;
import dev.abacus.schemas.objective.Dimension;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The default policy. A model ({@link OperatorModel}) shares information among all arms of an
 * operator: a sample of one model under one technique says something about the model under all
 * techniques, and about the technique under all models. The next samples are those of highest value
 * to the whole plan ({@link PlanContext}, {@link KnowledgeGradient}). The final plan is chosen by
 * posterior means, not by raw means, where one lucky sample looks like skill.
 *
 * <p>A wave is 5 samples of each operator, from 100 samples on a twentieth of their number, because
 * a decision takes time that grows with the cube of that number; for the same reason an operator
 * has at most {@value OperatorWave#MOST} samples. With {@link Stakes}, an operator gets no more
 * samples as soon as none is expected to be worth its price. The first wave is of models without
 * technique ({@link Arm#isPlain}), which say most about all arms with these models, and of arms at
 * random; with priors, two of them are the best by the priors. Each example has about 4 samples, so
 * that comparisons are paired and many examples are used.
 *
 * <p>Thread-safe.
 */
public final class SurrogateSampling implements SamplingPolicy {

  private final long seed;
  private final Priors priors;

  private final OperatorModels models;

  /**
   * Creates the policy.
   *
   * @param seed of the order of the first arms
   * @param priors beliefs before the first sample; only comparisons between arms matter
   */
  public SurrogateSampling(long seed, Priors priors) {
    this.seed = seed;
    this.priors = priors;
    this.models = new OperatorModels(priors);
  }

  @Override
  public Proposal propose(SamplingState state) {
    Map<String, Conclusion> conclusions = new LinkedHashMap<>();
    List<OperatorWave> open = new ArrayList<>();
    for (OperatorSamples operator : state.operators()) {
      OperatorWave wave = OperatorWave.of(operator);
      Conclusion conclusion = wave.conclusion();
      if (conclusion != null) {
        conclusions.put(operator.operator(), conclusion);
      } else {
        open.add(wave);
      }
    }
    List<Pull> pulls = new ArrayList<>();
    Map<String, Outlook> outlooks = new LinkedHashMap<>();
    if (open.stream().noneMatch(OperatorWave::isWaiting)) {
      draw(state, open, pulls, outlooks);
      for (OperatorWave wave : open) {
        String operator = wave.operator().operator();
        if (outlooks.containsKey(operator)) {
          conclusions.put(operator, Conclusion.NOT_WORTH_THE_PRICE);
        } else if (pulls.stream().noneMatch(pull -> pull.operator().equals(operator))) {
          conclusions.put(operator, Conclusion.EVERY_PAIR_SAMPLED);
        }
      }
    }
    return new Proposal(pulls, conclusions, outlooks);
  }

  /**
   * @param outlooks receives those of operators whose further samples are not worth their price
   */
  private void draw(
      SamplingState state,
      List<OperatorWave> open,
      List<Pull> pulls,
      Map<String, Outlook> outlooks) {
    Set<Dimension> dimensions = EnumSet.copyOf(state.objective().dimensions());
    List<OperatorSamples> implemented =
        state.operators().stream().filter(operator -> !operator.arms().isEmpty()).toList();
    List<OperatorModel> modelled = List.of();
    List<PlanContext> contexts = List.of();
    if (!open.stream().allMatch(OperatorWave::isFirst)) {
      modelled = implemented.stream().map(models::of).toList();
      contexts = PlanContext.of(state.objective(), modelled, state.mixed());
    }
    for (OperatorWave wave : open) {
      if (wave.isFirst()) {
        pulls.addAll(wave.deal(wave.firstArms(priors, seed, state.objective())));
      } else {
        int index = implemented.indexOf(wave.operator());
        KnowledgeGradient gradient =
            new KnowledgeGradient(
                modelled.get(index),
                contexts.get(index),
                dimensions.toArray(Dimension[]::new),
                wave.eligible(dimensions),
                state.inDollars(),
                state.required());
        Stakes stakes = state.stakes();
        Outlook outlook = stakes == null ? null : gradient.outlook(stakes, wave::room);
        if (outlook != null && !outlook.isWorthIt()) {
          outlooks.put(wave.operator().operator(), outlook);
        } else {
          pulls.addAll(wave.deal(gradient.choose(wave.size(), wave::room)));
        }
      }
    }
  }

  @Override
  public Map<String, Map<Arm, Belief>> beliefs(SamplingState state) {
    Map<String, OperatorModel> byOperator = new LinkedHashMap<>();
    for (OperatorSamples operator : state.operators()) {
      if (!operator.arms().isEmpty()) {
        byOperator.put(operator.operator(), models.of(operator));
      }
    }
    double shared =
        SharedHardness.of(byOperator.values().stream().map(OperatorModel::residuals).toList());
    Map<String, Map<Arm, Belief>> beliefs = new LinkedHashMap<>();
    for (OperatorSamples operator : state.operators()) {
      OperatorModel model = byOperator.get(operator.operator());
      beliefs.put(operator.operator(), model == null ? Map.of() : beliefs(operator, model, shared));
    }
    return beliefs;
  }

  private static Map<Arm, Belief> beliefs(
      OperatorSamples operator, OperatorModel model, double shared) {
    SelectivityPosterior selectivity =
        SelectivityPosterior.of(operator.arms().stream().map(operator::measurements).toList());
    Map<String, List<Measurement>> answers = answers(operator);
    Map<Arm, Belief> beliefs = new TreeMap<>();
    for (int arm = 0; arm < model.size(); arm++) {
      Arm of = operator.arms().get(arm);
      List<Measurement> measured = answers.getOrDefault(of.answers(), List.of());
      if (!measured.isEmpty()) {
        ArmStatistics raw = ArmStatistics.of(measured);
        if (raw.quality() != null && !raw.alwaysFailed()) {
          beliefs.put(
              of,
              belief(
                  operator.operator(),
                  model,
                  arm,
                  operator.readings().live(of.id()),
                  shared,
                  raw,
                  selectivity));
        }
      }
    }
    return beliefs;
  }

  /** The measurements of the arms that give the same answers, at whatever service tiers. */
  private static Map<String, List<Measurement>> answers(OperatorSamples operator) {
    return operator.arms().stream()
        .collect(
            Collectors.groupingBy(
                Arm::answers,
                Collectors.flatMapping(
                    arm -> operator.measurements(arm).stream(), Collectors.toList())));
  }

  private static Belief belief(
      String operator,
      OperatorModel model,
      int arm,
      LiveAmounts live,
      double shared,
      ArmStatistics raw,
      SelectivityPosterior selectivity) {
    double outputs = selectivity.mean(raw);
    return new Belief(
        live.stored().of(model.estimate(arm, outputs)),
        raw.samples(),
        model.error(Dimension.QUALITY, arm, shared).plus(live.quality()),
        model.error(Dimension.COST, arm, shared).plus(live.cost()),
        model.error(Dimension.LATENCY, arm, shared).plus(live.latency()),
        Loadings.of(new RandomEffect(Kind.OUTPUTS, operator, ""), selectivity.deviation(outputs)));
  }

  @Override
  public int fullSamples(int configured) {
    return 1;
  }

  @Override
  public boolean hasDeviations() {
    return true;
  }
}
