package dev.abacus.deploy.simulator.skill;

/**
 * The random effects on the answers of one call, in log-odds. The effects of document and field are
 * shared by all models, so that mistakes are correlated. The effect of the model is its own; above
 * temperature 0 a part of it is drawn again for every call.
 *
 * @param ordinal how many times the same prompt was seen before; ignored at temperature 0
 */
public record RandomEffects(
    long seed, SkillFormula formula, String model, double temperature, int ordinal) {

  /** The sum of all effects for a role and an item of a field of a document. */
  public double of(String role, String document, String key, String item) {
    return shared(document, key) + formula.ownNoise() * own(role, document, key, item);
  }

  /** The effects that all models share. */
  public double shared(String document, String key) {
    return formula.documentEffect() * base().with(document).normal()
        + formula.fieldEffect() * base().with(document).with(key).normal();
  }

  private double own(String role, String document, String key, String item) {
    double fixed = base().with(model).with(role).with(document).with(key).with(item).normal();
    if (temperature <= 0) {
      return fixed;
    }
    double share = Math.min(1, temperature) * formula.temperatureShare();
    double fresh = draw(role, document, key).with(item).normal();
    return Math.sqrt(1 - share) * fixed + Math.sqrt(share) * fresh;
  }

  /** A draw for choices other than right or wrong; it depends on the model and the call. */
  public KeyedRandom draw(String role, String document, String key) {
    KeyedRandom draw = base().with(model).with(role).with(document).with(key);
    return temperature <= 0 ? draw : draw.with(Double.doubleToLongBits(temperature)).with(ordinal);
  }

  /** A draw that is the same for all models and calls. */
  public KeyedRandom common(String role, String document, String key) {
    return base().with(role).with(document).with(key);
  }

  private KeyedRandom base() {
    return KeyedRandom.seeded(seed);
  }
}
