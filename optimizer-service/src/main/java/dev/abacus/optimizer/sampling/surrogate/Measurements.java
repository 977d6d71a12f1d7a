package dev.abacus.optimizer.sampling.surrogate;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Measurements of one metric. A measurement is a value of one arm on one example, or the mean of
 * the values of one call for several documents.
 */
final class Measurements {

  private final int[] arm;
  private final int[][] examples;
  private final int[] call;
  private final boolean[] judged;
  private final double[] value;
  private final double[] rest;

  private Measurements(
      int[] arm, int[][] examples, int[] call, boolean[] judged, double[] value, double[] rest) {
    this.arm = arm;
    this.examples = examples;
    this.call = call;
    this.judged = judged;
    this.value = value;
    this.rest = rest;
  }

  /**
   * Creates measurements from arrays of equal length, which must not be changed afterwards.
   *
   * @param arm index of the arm of each measurement
   * @param example index of the example of each measurement
   * @param call index of the call for several documents of each measurement; negative if it had
   *     calls of its own
   * @param judged whether each measurement is a score of the judge
   * @param value measured values
   * @param rest part of the deviation of a value that is left: 1 for what was not moved
   */
  static Measurements of(
      int[] arm, int[] example, int[] call, boolean[] judged, double[] value, double[] rest) {
    int[][] examples =
        Arrays.stream(example).mapToObj(one -> new int[] {one}).toArray(int[][]::new);
    return new Measurements(arm, examples, call, judged, value, rest);
  }

  /** These measurements with one, the mean, for those of each call for several documents. */
  Measurements byCall() {
    Map<List<Integer>, List<Integer>> groups = new LinkedHashMap<>();
    for (int i = 0; i < value.length; i++) {
      int own = call[i] < 0 ? -1 - i : call[i];
      groups.computeIfAbsent(List.of(arm[i], own), _ -> new ArrayList<>()).add(i);
    }
    List<List<Integer>> members = List.copyOf(groups.values());
    boolean[] scale = new boolean[members.size()];
    for (int i = 0; i < scale.length; i++) {
      scale[i] = judged[members.get(i).getFirst()];
    }
    return new Measurements(
        members.stream().mapToInt(group -> arm[group.getFirst()]).toArray(),
        members.stream()
            .map(group -> group.stream().mapToInt(i -> examples[i][0]).sorted().toArray())
            .toArray(int[][]::new),
        members.stream().mapToInt(group -> call[group.getFirst()]).toArray(),
        scale,
        members.stream()
            .mapToDouble(group -> group.stream().mapToDouble(i -> value[i]).average().orElse(0))
            .toArray(),
        members.stream().mapToDouble(group -> rest[group.getFirst()]).toArray());
  }

  int size() {
    return value.length;
  }

  int arm(int index) {
    return arm[index];
  }

  /** The examples of the values whose mean a measurement is; not to be changed. */
  int[] examples(int index) {
    return examples[index];
  }

  /** Number of values whose mean a measurement is. */
  int values(int index) {
    return examples[index].length;
  }

  /** Number of different examples. */
  int examples() {
    return (int) Arrays.stream(examples).flatMapToInt(Arrays::stream).distinct().count();
  }

  /** The mean over pairs of values of two measurements of whether they are of one example. */
  double overlap(int a, int b) {
    int[] left = examples[a];
    int[] right = examples[b];
    int common = 0;
    for (int i = 0, j = 0; i < left.length && j < right.length; ) {
      if (left[i] == right[j]) {
        common++;
        i++;
        j++;
      } else if (left[i] < right[j]) {
        i++;
      } else {
        j++;
      }
    }
    return (double) common / left.length / right.length;
  }

  /** Whether a measurement is of a call for several documents. */
  boolean isShared(int index) {
    return call[index] >= 0;
  }

  /** Whether any measurement is of a call for several documents. */
  boolean hasSharedCalls() {
    return Arrays.stream(call).anyMatch(index -> index >= 0);
  }

  /** Whether a measurement is a score of the judge. */
  boolean isJudged(int index) {
    return judged[index];
  }

  /** Whether some scores are the judge's and some are not. */
  boolean areOnTwoScales() {
    boolean some = false;
    boolean all = true;
    for (boolean one : judged) {
      some |= one;
      all &= one;
    }
    return some && !all;
  }

  /** Part of the deviation of a measurement, by its examples and by noise, that is left. */
  double rest(int index) {
    return rest[index];
  }

  double value(int index) {
    return value[index];
  }

  double sum() {
    return Arrays.stream(value).sum();
  }
}
