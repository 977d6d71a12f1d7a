package dev.abacus.optimizer.sampling.surrogate;

import java.util.Arrays;

/** Measurements of one metric, each with its arm, its example, its value and its relative noise. */
final class Measurements {

  private final int[] arm;
  private final int[] example;
  private final double[] value;
  private final double[] noise;

  /**
   * Creates measurements from arrays of equal length, which must not be changed afterwards.
   *
   * @param arm index of the arm of each measurement
   * @param example index of the example of each measurement
   * @param value measured values
   * @param noise variances, in units of the variance of the noise
   */
  Measurements(int[] arm, int[] example, double[] value, double[] noise) {
    this.arm = arm;
    this.example = example;
    this.value = value;
    this.noise = noise;
  }

  int size() {
    return value.length;
  }

  int arm(int index) {
    return arm[index];
  }

  int example(int index) {
    return example[index];
  }

  double value(int index) {
    return value[index];
  }

  double noise(int index) {
    return noise[index];
  }

  double sum() {
    return Arrays.stream(value).sum();
  }

  Measurements withNoise(double[] other) {
    return new Measurements(arm, example, value, other);
  }
}
