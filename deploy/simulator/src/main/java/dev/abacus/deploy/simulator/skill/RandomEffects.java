package dev.abacus.deploy.simulator.skill;

/**
 * The luck of one call, in log-odds. Part of it belongs to the document and to the field and is
 * shared by all models (so their mistakes are correlated), part to the model; above temperature 0
 * some of the latter is drawn anew for every call.
 */
public final class RandomEffects {

  private final KeyedRandom base;
  private final SkillFormula formula;
  private final String model;
  private final double temperature;
  private final int ordinal;

  /**
   * Fixes what a call's luck depends on.
   *
   * @param ordinal how many times this very prompt was seen before; without effect at temperature 0
   */
  public RandomEffects(
      long seed, SkillFormula formula, String model, double temperature, int ordinal) {
    this.base = KeyedRandom.seeded(seed);
    this.formula = formula;
    this.model = model;
    this.temperature = temperature;
    this.ordinal = ordinal;
  }

  /** RandomEffects of a role with an item of a field in a document. */
  public double of(String role, String document, String key, String item) {
    return shared(document, key) + formula.ownNoise() * own(role, document, key, item);
  }

  /** RandomEffects that all models share. */
  public double shared(String document, String key) {
    return formula.documentEffect() * base.with(document).normal()
        + formula.fieldEffect() * base.with(document).with(key).normal();
  }

  private double own(String role, String document, String key, String item) {
    double fixed = base.with(model).with(role).with(document).with(key).with(item).normal();
    if (temperature <= 0) {
      return fixed;
    }
    double share = Math.min(1, temperature) * formula.temperatureShare();
    double fresh = draw(role, document, key).with(item).normal();
    return Math.sqrt(1 - share) * fixed + Math.sqrt(share) * fresh;
  }

  /** A draw for choices that are no matter of right or wrong; it depends on model and call. */
  public KeyedRandom draw(String role, String document, String key) {
    KeyedRandom draw = base.with(model).with(role).with(document).with(key);
    return temperature <= 0 ? draw : draw.with(Double.doubleToLongBits(temperature)).with(ordinal);
  }

  /** A draw that is the same for all models and calls. */
  public KeyedRandom common(String role, String document, String key) {
    return base.with(role).with(document).with(key);
  }
}
