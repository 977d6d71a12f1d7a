package dev.abacus.deploy.simulator.skill;

import dev.abacus.deploy.simulator.skill.ModelProfiles.ModelProfile;

/**
 * The ability of one model, after the Rasch model of item response theory. The <em>margin</em> of
 * an answer is ability minus difficulty in log-odds; an answer is right if the margin plus the
 * {@link RandomEffects} is above 0.
 *
 * @param gain what reasoning and examples add, in log-odds
 */
public record Skill(SkillFormula formula, ModelProfile model, double gain) {

  /** A model without the help of a prompt. */
  public Skill(SkillFormula formula, ModelProfile model) {
    this(formula, model, model.reasoning() ? formula.reasoningBonus() : 0);
  }

  /**
   * This model with the help that a prompt gives it.
   *
   * @param effort of its hidden reasoning; without effect on models that have none
   * @param steps whether the answer begins with its reasoning; of no use to models with a hidden
   *     one
   * @param examples number of solved examples
   */
  public Skill helped(String effort, boolean steps, int examples) {
    double reasoning =
        model.reasoning()
            ? formula.reasoningBonus() * Math.sqrt(effort(effort))
            : steps ? formula.stepsBonus() : 0;
    double shown = formula.exampleBonus() * Math.log(1.0 + examples) / Math.log(2);
    return new Skill(formula, model, reasoning + shown);
  }

  /** Reasoning tokens of an effort, in those of medium effort. */
  public static double effort(String effort) {
    return switch (effort) {
      case "none", "minimal" -> 0;
      case "low" -> 0.5;
      case "high" -> 2;
      default -> 1;
    };
  }

  /** Accuracy above chance, in [0, 1]: the only published measure of quality that is used. */
  public double strength() {
    return (model.mmluPro() / 100 - formula.chance()) / (1 - formula.chance());
  }

  /** Ability in log-odds. Its variation is a hash of the names of model and kind. */
  public double ability(TaskKind kind) {
    double variation =
        KeyedRandom.seeded(0).with(model.name()).with(kind.name()).normal()
            * formula.kindVariation();
    return Math.log(strength() / (1 - strength())) + gain + variation;
  }

  /** Margin of finding or deriving a value, in log-odds. */
  public double margin(TaskKind kind, double difficulty, CallConditions conditions) {
    return ability(kind)
        + formula.ease()
        - formula.difficultySlope() * (difficulty - 0.5)
        - formula.fieldLoad() * Math.log(Math.max(1, conditions.asked()))
        - lengthLoss(conditions)
        - formula.temperatureLoss() * conditions.temperature();
  }

  /** Margin of noticing that a value is absent, in log-odds; load and length count half. */
  public double precisionMargin(TaskKind kind, double difficulty, CallConditions conditions) {
    double full = margin(kind, difficulty, conditions);
    double eased = ability(kind) + formula.ease() - formula.difficultySlope() * (difficulty - 0.5);
    return formula.precisionEase() - formula.ease() + (full + eased) / 2;
  }

  private double lengthLoss(CallConditions conditions) {
    double doublings =
        Math.log(1 + conditions.promptTokens() / formula.lengthUnitTokens()) / Math.log(2);
    double middle = 4 * conditions.position() * (1 - conditions.position());
    return formula.lengthLoss() * doublings * (1 + formula.middleLoss() * middle);
  }

  /** Probability that an answer is not in the requested format. */
  public double formatErrorRate(boolean schema, boolean repair) {
    double lack = 1 - strength();
    double rate = formula.formatErrorFloor() + formula.formatErrorScale() * lack * lack;
    return rate * (schema ? 1 : formula.freeFormFactor()) * (repair ? formula.repairFactor() : 1);
  }

  /**
   * Probability that the model obeys an instruction inside the document. A model of strength 0.6 or
   * more never obeys text inside the tags of the prompt.
   */
  public double obedience(boolean fenced) {
    double unfenced = Math.max(0, 0.9 - strength());
    if (!fenced) {
      return unfenced;
    }
    return strength() < 0.6 ? unfenced / 5 : 0;
  }

  /** Seconds until the first token of the answer. */
  public double secondsToFirstToken(int promptTokens) {
    double perToken = model.secondsPerOutputToken();
    return formula.firstTokenSeconds()
        + perToken * (formula.firstTokenTokens() + promptTokens * formula.prefillShare());
  }

  /** Converts log-odds to a probability. */
  public static double probability(double logOdds) {
    return 1 / (1 + Math.exp(-logOdds));
  }

  /** Kinds of tasks; the ability of a model varies slightly between them. */
  public enum TaskKind {
    /** Find text of the document. */
    EXTRACT,
    /** Derive a value from the document as a whole. */
    CLASSIFY,
    /** Decide a condition. */
    FILTER,
    /** Choose among proposals. */
    AGGREGATE,
    /** Find mistakes in a draft. */
    CRITIQUE,
    /** Repair a draft. */
    REFINE,
    /** Score an output. */
    JUDGE
  }

  /**
   * What makes an answer harder besides the document itself.
   *
   * @param asked number of fields asked at once
   * @param promptTokens length of the prompt in tokens
   * @param position position of the evidence in the document section, from 0 (start) to 1 (end)
   */
  public record CallConditions(int asked, int promptTokens, double position, double temperature) {

    /** The same conditions for evidence at another position. */
    public CallConditions at(double other) {
      return new CallConditions(asked, promptTokens, other, temperature);
    }
  }
}
