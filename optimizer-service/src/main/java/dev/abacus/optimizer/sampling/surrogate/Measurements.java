package dev.abacus.optimizer.sampling.surrogate;

import java.util.Arrays;

/** Measurements of one metric, each with its arm, its example and its value. */
final class Measurements {

  private final int[] arm;
  private final int[] example;
  private final double[] value;

  /**
   * Creates measurements from arrays of equal length, which must not be changed afterwards.
   *
   * @param arm index of the arm of each measurement
   * @param example index of the example of each measurement
   * @param value measured values
   */
  Measurements(int[] arm, int[] example, double[] value) {
    this.arm = arm;
    this.example = example;
    this.value = value;
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

  double sum() {
    return Arrays.stream(value).sum();
  }
}
