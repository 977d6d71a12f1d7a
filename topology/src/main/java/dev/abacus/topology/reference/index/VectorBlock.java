package dev.abacus.topology.reference.index;

import java.util.Arrays;

/**
 * A fixed number of vectors, stored by dimension: an array of all their first components, one of
 * all their second, and so on.
 *
 * <p>That way the inner loop adds to one sum per vector and has no reduction in it. The compiler
 * turns it into vector instructions by itself, which it may not do with the sum of a dot product,
 * because that would change the order of additions. So there is no need for the incubating Vector
 * API, nor for the command-line flag that comes with it. An array per dimension, rather than one
 * for all, is what tells the compiler that sums and components do not overlap.
 */
final class VectorBlock {

  /** Long enough for the compiler to unroll, short enough for the sums to stay in the L1 cache. */
  static final int LANES = 256;

  private final float[][] components;

  VectorBlock(int dimensions) {
    this.components = new float[dimensions][LANES];
  }

  void set(int lane, float[] vector) {
    for (int d = 0; d < components.length; d++) {
      components[d][lane] = vector[d];
    }
  }

  float[] get(int lane) {
    float[] vector = new float[components.length];
    for (int d = 0; d < vector.length; d++) {
      vector[d] = components[d][lane];
    }
    return vector;
  }

  /** Dot products of the query with every vector, into {@code sums}. */
  void dot(float[] query, float[] sums) {
    Arrays.fill(sums, 0);
    int d = 0;
    for (; d + 4 <= components.length; d += 4) {
      addFour(query, d, sums);
    }
    for (; d < components.length; d++) {
      float q = query[d];
      float[] row = components[d];
      for (int lane = 0; lane < LANES; lane++) {
        sums[lane] += q * row[lane];
      }
    }
  }

  /** Four dimensions at a time: the sums are loaded and stored a quarter as often. */
  private void addFour(float[] query, int d, float[] sums) {
    float q0 = query[d];
    float q1 = query[d + 1];
    float q2 = query[d + 2];
    float q3 = query[d + 3];
    float[] row0 = components[d];
    float[] row1 = components[d + 1];
    float[] row2 = components[d + 2];
    float[] row3 = components[d + 3];
    for (int lane = 0; lane < LANES; lane++) {
      sums[lane] += q0 * row0[lane] + q1 * row1[lane] + q2 * row2[lane] + q3 * row3[lane];
    }
  }
}
