package dev.abacus.optimizer.surrogate;

/**
 * What was read of one metric.
 *
 * @param arm index of the arm of every reading
 * @param example number of the example of every reading
 * @param value what was read
 * @param noise how much every reading scatters: its variance is this times the variance of the
 *     noise
 */
@SuppressWarnings("ArrayRecordComponent") // columns of numbers that are read, never compared
record Readings(int[] arm, int[] example, double[] value, double[] noise) {

  int size() {
    return value.length;
  }

  Readings withNoise(double[] other) {
    return new Readings(arm, example, value, other);
  }
}
