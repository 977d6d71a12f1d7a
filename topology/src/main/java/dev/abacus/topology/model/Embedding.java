package dev.abacus.topology.model;

import java.util.Arrays;
import java.util.List;

/**
 * A unit vector that represents the meaning of a text. The cosine of two embeddings grows with the
 * similarity of their texts.
 */
public final class Embedding {

  private final float[] values;

  private Embedding(float[] values) {
    this.values = values;
  }

  /**
   * Scales a vector to length 1.
   *
   * @throws IllegalArgumentException if the vector is empty, all zero or not finite
   */
  public static Embedding of(float... direction) {
    double squares = 0;
    for (float value : direction) {
      squares += (double) value * value;
    }
    double length = Math.sqrt(squares);
    if (!(length > 0 && length < Double.POSITIVE_INFINITY)) {
      throw new IllegalArgumentException("cannot normalize a vector of length " + length);
    }
    float[] unit = new float[direction.length];
    for (int i = 0; i < unit.length; i++) {
      unit[i] = (float) (direction[i] / length);
    }
    return new Embedding(unit);
  }

  /**
   * The weighted mean of embeddings, scaled to length 1.
   *
   * @param parts at least one, all with the same dimensions
   * @param weights one per part, positive
   * @throws IllegalArgumentException if the weighted sum is zero
   */
  public static Embedding mean(List<Embedding> parts, List<Integer> weights) {
    float[] sum = new float[parts.getFirst().dimensions()];
    for (int part = 0; part < parts.size(); part++) {
      float[] values = parts.get(part).values;
      for (int i = 0; i < sum.length; i++) {
        sum[i] += values[i] * weights.get(part);
      }
    }
    return of(sum);
  }

  /** The number of components. */
  public int dimensions() {
    return values.length;
  }

  /** A copy of the components. */
  public float[] toArray() {
    return values.clone();
  }

  /**
   * The cosine of the angle between the vectors, in [-1, 1] up to rounding.
   *
   * @throws IllegalArgumentException if the dimensions differ
   */
  public double cosine(Embedding other) {
    if (values.length != other.values.length) {
      throw new IllegalArgumentException(
          values.length + " and " + other.values.length + " dimensions are not comparable");
    }
    double sum = 0;
    for (int i = 0; i < values.length; i++) {
      sum += (double) values[i] * other.values[i];
    }
    return sum;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Embedding that && Arrays.equals(values, that.values);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(values);
  }

  @Override
  public String toString() {
    return "Embedding[" + values.length + " dimensions]";
  }
}
