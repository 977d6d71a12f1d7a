package dev.abacus.deploy.simulator.skill;

import dev.abacus.deploy.simulator.skill.ModelProfiles.ModelProfile;

/**
 * How able one model is: a Rasch-like model of answering. The <em>margin</em> of an answer is
 * ability minus difficulty in log-odds; an answer is right when margin plus luck ({@link
 * RandomEffects}) is above zero.
 */
public final class Skill {

  private final SkillFormula formula;
  private final ModelProfile model;

  /** Applies the formula to a model. */
  public Skill(SkillFormula formula, ModelProfile model) {
    this.formula = formula;
    this.model = model;
  }

  /** The model that this is the skill of. */
  public ModelProfile model() {
    return model;
  }

  /** The constants. */
  public SkillFormula formula() {
    return formula;
  }

  /** Accuracy above chance, 0..1: the only measure of quality that goes in. */
  public double strength() {
    return (model.mmluPro() / 100 - formula.chance()) / (1 - formula.chance());
  }

  /** Ability in log-odds. The variation is drawn from the names of model and kind, not chosen. */
  public double ability(TaskKind kind) {
    double variation =
        KeyedRandom.seeded(0).with(model.name()).with(kind.name()).normal()
            * formula.kindVariation();
    double thinking = model.reasoning() ? formula.reasoningBonus() : 0;
    return Math.log(strength() / (1 - strength())) + thinking + variation;
  }

  /** Margin of finding or deriving a value under the given circumstances, in log-odds. */
  public double margin(TaskKind kind, double difficulty, CallConditions where) {
    return ability(kind)
        + formula.ease()
        - formula.difficultySlope() * (difficulty - 0.5)
        - formula.fieldLoad() * Math.log(Math.max(1, where.asked()))
        - lengthLoss(where)
        - formula.temperatureLoss() * where.temperature();
  }

  /**
   * Margin of seeing that there is nothing to be found, in log-odds; load and length weigh half.
   */
  public double precisionMargin(TaskKind kind, double difficulty, CallConditions where) {
    double full = margin(kind, difficulty, where);
    double eased = ability(kind) + formula.ease() - formula.difficultySlope() * (difficulty - 0.5);
    return formula.precisionEase() - formula.ease() + (full + eased) / 2;
  }

  private double lengthLoss(CallConditions where) {
    double doublings =
        Math.log(1 + where.promptTokens() / formula.lengthUnitTokens()) / Math.log(2);
    double middle = 4 * where.position() * (1 - where.position());
    return formula.lengthLoss() * doublings * (1 + formula.middleLoss() * middle);
  }

  /** Probability that an answer is not in the form that was asked for. */
  public double formatErrorRate(boolean schema, boolean repair) {
    double lack = 1 - strength();
    double rate = formula.formatErrorFloor() + formula.formatErrorScale() * lack * lack;
    return rate * (schema ? 1 : formula.freeFormFactor()) * (repair ? formula.repairFactor() : 1);
  }

  /**
   * Probability that an instruction inside the document is obeyed. Text in our tags is never obeyed
   * by a model of strength 0.6 or more.
   */
  public double obedience(boolean fenced) {
    double unfenced = Math.max(0, 0.9 - strength());
    if (!fenced) {
      return unfenced;
    }
    return strength() < 0.6 ? unfenced / 5 : 0;
  }

  /** Seconds until the first token of the answer to a prompt of the given length. */
  public double secondsToFirstToken(int promptTokens) {
    double perToken = model.secondsPerOutputToken();
    return formula.firstTokenSeconds()
        + perToken * (formula.firstTokenTokens() + promptTokens * formula.prefillShare());
  }

  /** Probability that belongs to log-odds. */
  public static double probability(double logOdds) {
    return 1 / (1 + Math.exp(-logOdds));
  }

  /** What a model is asked to do. A model's ability varies a little from kind to kind. */
  public enum TaskKind {
    /** Find text that stands in the document. */
    EXTRACT,
    /** Derive a value from the document as a whole. */
    CLASSIFY,
    /** Decide a condition. */
    FILTER,
    /** Choose among proposals. */
    AGGREGATE,
    /** Say what is wrong with a draft. */
    CRITIQUE,
    /** Repair a draft. */
    REFINE,
    /** Score an output. */
    JUDGE
  }

  /**
   * What makes reading harder besides the document itself.
   *
   * @param asked number of fields asked at once
   * @param promptTokens length of the prompt
   * @param position where the evidence stands in the document section, 0 (start) to 1 (end)
   * @param temperature sampling temperature
   */
  public record CallConditions(int asked, int promptTokens, double position, double temperature) {

    /** The same, for evidence at another place. */
    public CallConditions at(double place) {
      return new CallConditions(asked, promptTokens, place, temperature);
    }
  }
}
