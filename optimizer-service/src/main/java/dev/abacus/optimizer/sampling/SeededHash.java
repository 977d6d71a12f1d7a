package dev.abacus.optimizer.sampling;

/**
 * A seeded hash with the same value on every machine: FNV-1a, then the finalizer of SplitMix64, so
 * that similar texts have unrelated hashes. Sorting by it shuffles.
 */
public final class SeededHash {

  private static final long FNV_OFFSET = 0xcbf29ce484222325L;
  private static final long FNV_PRIME = 0x100000001b3L;

  private SeededHash() {}

  /** The hash of a text. */
  public static long of(long seed, String text) {
    long hash = FNV_OFFSET ^ mix(seed);
    for (int i = 0; i < text.length(); i++) {
      hash = (hash ^ text.charAt(i)) * FNV_PRIME;
    }
    return mix(hash);
  }

  /** The hash of a text as a number in [0, 1): a share of texts is below that share. */
  public static double unit(long seed, String text) {
    return (of(seed, text) >>> 11) * 0x1.0p-53;
  }

  private static long mix(long value) {
    long mixed = (value + 0x9e3779b97f4a7c15L);
    mixed = (mixed ^ (mixed >>> 30)) * 0xbf58476d1ce4e5b9L;
    mixed = (mixed ^ (mixed >>> 27)) * 0x94d049bb133111ebL;
    return mixed ^ (mixed >>> 31);
  }
}
