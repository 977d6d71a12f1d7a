package dev.abacus.topology.reference.index;

import java.util.Arrays;

/**
 * A fixed number of vectors with a byte per component, from which follows what their similarity to
 * a query is at most. A quarter of the memory of the vectors themselves has to be read for that,
 * and memory is what bounds the search.
 *
 * <p>A vector v is kept as whole numbers v' in [−127, 127] and a scale s. By Cauchy and Schwarz,
 * {@code |v·q − s v'·q| ≤ |v − s v'| |q|}; the first factor is known when the vector is put. The
 * bound holds for all vectors and queries whose products are within the range of a {@code float},
 * so a search that goes by it is exact.
 *
 * <p>Stored by dimension, four to an {@code int}: the inner loop adds to one sum per vector and has
 * no reduction in it, so the compiler turns it into vector instructions by itself. There is no need
 * for the incubating Vector API, nor for the command-line flag that comes with it.
 */
final class QuantizedBlock {

  /** Long enough for the compiler to unroll, short enough for the sums to stay in the L1 cache. */
  static final int LANES = 256;

  /** The largest component of a vector. */
  static final int LARGEST = 127;

  private static final int PER_WORD = 4;

  /** Added to every bound: products of numbers near the least float are not rounded but lost. */
  private static final float TINY = 1e-30f;

  private final int[][] words;
  private final float[] scales = new float[LANES];
  private final float[] errors = new float[LANES];
  private final float[] norms = new float[LANES];

  QuantizedBlock(int dimensions) {
    this.words = new int[padded(dimensions) / PER_WORD][LANES];
  }

  /** The next multiple of the components in a word. */
  static int padded(int dimensions) {
    return Math.ceilDiv(dimensions, PER_WORD) * PER_WORD;
  }

  void set(int lane, float[] vector) {
    float largest = 0;
    for (float value : vector) {
      largest = Math.max(largest, Math.abs(value));
    }
    float scale = largest / LARGEST;
    for (int[] word : words) {
      word[lane] = 0;
    }
    double squares = 0;
    double lost = 0;
    for (int d = 0; d < vector.length; d++) {
      int quantized = scale > 0 ? quantized(vector[d] / scale) : 0;
      words[d / PER_WORD][lane] |= (quantized & 0xFF) << (Byte.SIZE * (d % PER_WORD));
      double rest = vector[d] - (double) scale * quantized;
      lost += rest * rest;
      squares += (double) vector[d] * vector[d];
    }
    scales[lane] = scale;
    errors[lane] = QuantizedQuery.up(Math.sqrt(lost));
    // Of the vector or of what stands for it, whichever is longer.
    norms[lane] = QuantizedQuery.up(Math.sqrt(squares)) + errors[lane];
  }

  private static int quantized(float value) {
    return Math.clamp((int) Math.rint(value), -LARGEST, LARGEST);
  }

  /** Takes a vector over from another block, or from another lane of this one. */
  void set(int lane, QuantizedBlock from, int fromLane) {
    for (int w = 0; w < words.length; w++) {
      words[w][lane] = from.words[w][fromLane];
    }
    scales[lane] = from.scales[fromLane];
    errors[lane] = from.errors[fromLane];
    norms[lane] = from.norms[fromLane];
  }

  /**
   * What the dot product of the query with each vector is at most, and by how much that may be too
   * much. NaN where nothing can be said.
   */
  void bounds(QuantizedQuery query, Bounds bounds) {
    int[] sums = bounds.sums;
    Arrays.fill(sums, 0);
    int[] components = query.components();
    for (int w = 0; w < words.length; w++) {
      add(components, PER_WORD * w, words[w], sums);
    }
    bound(query.scale(), query.norm(), query.error(), bounds);
  }

  /** In this form, and no other that was tried, the compiler vectorises it. */
  private static void add(int[] query, int from, int[] word, int[] sums) {
    int q0 = query[from];
    int q1 = query[from + 1];
    int q2 = query[from + 2];
    int q3 = query[from + 3];
    for (int lane = 0; lane < LANES; lane++) {
      int four = word[lane];
      sums[lane] =
          sums[lane]
              + q0 * ((four << 24) >> 24)
              + q1 * ((four << 16) >> 24)
              + q2 * ((four << 8) >> 24)
              + q3 * (four >> 24);
    }
  }

  private void bound(float scale, float norm, float error, Bounds bounds) {
    for (int lane = 0; lane < LANES; lane++) {
      float slack = errors[lane] * norm + norms[lane] * error + TINY;
      bounds.slack[lane] = slack;
      bounds.upper[lane] = bounds.sums[lane] * (scales[lane] * scale) + slack;
    }
  }

  /** Room for the bounds of one block. */
  static final class Bounds {
    private final int[] sums = new int[LANES];
    private final float[] upper = new float[LANES];
    private final float[] slack = new float[LANES];

    /** What the dot product is at most. */
    float upper(int lane) {
      return upper[lane];
    }

    /** What the dot product is at least. */
    float lower(int lane) {
      return upper[lane] - 2 * slack[lane];
    }
  }
}
