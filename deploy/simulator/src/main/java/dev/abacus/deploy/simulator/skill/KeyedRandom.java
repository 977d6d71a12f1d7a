package dev.abacus.deploy.simulator.skill;

/**
 * A random number that is a pure function of names: a seed, a model, a document, a field. Drawing
 * twice from the same names gives the same number, in any order and on any thread, which is what
 * makes a call at temperature 0 repeatable.
 */
public record KeyedRandom(long state) {

  private static final long GOLDEN = 0x9E3779B97F4A7C15L;

  /** Starts a chain of names. */
  public static KeyedRandom seeded(long seed) {
    return new KeyedRandom(mix(seed + GOLDEN));
  }

  /** Returns the draw that is further qualified by a name. */
  public KeyedRandom with(String part) {
    return with(hash(part));
  }

  /** Returns the draw that is further qualified by a number. */
  public KeyedRandom with(long part) {
    return new KeyedRandom(mix(state * 31 + mix(part + GOLDEN)));
  }

  /** A number in [0, 1). */
  public double uniform() {
    return (mix(state) >>> 11) * 0x1.0p-53;
  }

  /** A standard normal number (Box–Muller). */
  public double normal() {
    double radius = Math.sqrt(-2 * Math.log(1 - uniform()));
    return radius * Math.cos(2 * Math.PI * with(1).uniform());
  }

  /** An index in [0, size). */
  public int below(int size) {
    return (int) (uniform() * size);
  }

  /** A 64-bit hash of text. */
  public static long hash(CharSequence text) {
    long hash = 0xCBF29CE484222325L;
    for (int i = 0; i < text.length(); i++) {
      hash = (hash ^ text.charAt(i)) * 0x100000001B3L;
    }
    return mix(hash + text.length());
  }

  /** The finalizer of SplitMix64 (Steele, Lea, Flood 2014). */
  public static long mix(long value) {
    long z = (value ^ (value >>> 30)) * 0xBF58476D1CE4E5B9L;
    z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
    return z ^ (z >>> 31);
  }
}
