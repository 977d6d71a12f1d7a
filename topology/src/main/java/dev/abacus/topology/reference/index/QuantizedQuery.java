package dev.abacus.topology.reference.index;

/**
 * A query in whole numbers, for sums of products with {@link QuantizedBlock}s. As fine as can be:
 * the largest possible sum of products just fits an {@code int}, so that no sum overflows.
 */
final class QuantizedQuery {

  /** Products and sums are off by this share of the vectors' lengths at most, each rounding up. */
  private static final float ROUNDING = 1e-6f;

  private final int[] components;
  private final float scale;
  private final float norm;
  private final float error;

  /** Of any vector; one that is not finite has bounds that exclude nothing. */
  QuantizedQuery(float[] query) {
    double magnitude = 0;
    double squares = 0;
    for (float value : query) {
      magnitude += Math.abs(value);
      squares += (double) value * value;
    }
    this.components = new int[QuantizedBlock.padded(query.length)];
    // Each rounding adds a half at most.
    double room =
        (double) Integer.MAX_VALUE / QuantizedBlock.LARGEST - (double) query.length / 2 - 1;
    this.scale = magnitude > 0 && room > 0 ? up(magnitude / room) : 0;
    double lost = 0;
    for (int i = 0; i < query.length; i++) {
      double exact = scale > 0 ? query[i] / (double) scale : 0;
      components[i] = (int) Math.rint(exact);
      double rest = query[i] - (double) scale * components[i];
      lost += rest * rest;
    }
    this.norm = up(Math.sqrt(squares));
    this.error = up(Math.sqrt(lost)) + ROUNDING * norm;
  }

  /** The next float above, so that a bound stays one. */
  static float up(double value) {
    return Math.nextUp((float) value);
  }

  /** Whole numbers; as many as padded dimensions. */
  int[] components() {
    return components;
  }

  /** What a component is to be multiplied by. */
  float scale() {
    return scale;
  }

  /** Length of the query, or a little more. */
  float norm() {
    return norm;
  }

  /** Length of what the whole numbers leave out, and of the error of all later roundings. */
  float error() {
    return error;
  }
}
