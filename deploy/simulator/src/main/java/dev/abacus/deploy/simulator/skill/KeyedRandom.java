package dev.abacus.deploy.simulator.skill;

/**
 * A random number that is a pure function of its keys: a seed, a model, a document, a field. The
 * same keys give the same number, in any order and on any thread, so that a call at temperature 0
 * is repeatable.
 */
public record KeyedRandom(long state) {

  private static final long GOLDEN = 0x9E3779B97F4A7C15L;

  /** Starts a chain of keys. */
  public static KeyedRandom seeded(long seed) {
    return new KeyedRandom(mix(seed + GOLDEN));
  }

  /** Appends a key. */
  public KeyedRandom with(String part) {
    return with(hash(part));
  }

  /** Appends a key. */
  public KeyedRandom with(long part) {
    return new KeyedRandom(mix(state * 31 + mix(part + GOLDEN)));
  }

  /** A number in [0, 1). */
  public double uniform() {
    return (mix(state) >>> 11) * 0x1.0p-53;
  }

  /** A standard normal number, by the Box–Muller transform. */
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
