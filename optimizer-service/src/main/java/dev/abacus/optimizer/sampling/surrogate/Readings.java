package dev.abacus.optimizer.sampling.surrogate;

import java.util.Arrays;

/**
 * What was read of one metric: for every reading its arm, its example, its value, and how much it
 * scatters.
 */
final class Readings {

  private final int[] arm;
  private final int[] example;
  private final double[] value;
  private final double[] noise;

  /**
   * Readings; the arrays are as long as there are readings, and not to be changed any more.
   *
   * @param arm index of the arm of every reading
   * @param example number of the example of every reading
   * @param value what was read
   * @param noise the variance of every reading, in units of the variance of the noise
   */
  Readings(int[] arm, int[] example, double[] value, double[] noise) {
    this.arm = arm;
    this.example = example;
    this.value = value;
    this.noise = noise;
  }

  int size() {
    return value.length;
  }

  int arm(int reading) {
    return arm[reading];
  }

  int example(int reading) {
    return example[reading];
  }

  double value(int reading) {
    return value[reading];
  }

  double noise(int reading) {
    return noise[reading];
  }

  double sum() {
    return Arrays.stream(value).sum();
  }

  Readings withNoise(double[] other) {
    return new Readings(arm, example, value, other);
  }
}
