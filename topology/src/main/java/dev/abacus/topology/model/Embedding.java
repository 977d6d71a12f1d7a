package dev.abacus.topology.model;

import java.util.Arrays;
import java.util.List;

/** A unit vector that stands for a text: the closer two texts in meaning, the larger its cosine. */
public final class Embedding {

  private final float[] values;

  private Embedding(float[] values) {
    this.values = values;
  }

  /**
   * The vector of that direction, scaled to length 1.
   *
   * @throws IllegalArgumentException if it has no direction: it is empty, all zero or not finite
   */
  public static Embedding of(float... direction) {
    double squares = 0;
    for (float value : direction) {
      squares += (double) value * value;
    }
    double length = Math.sqrt(squares);
    if (!(length > 0 && length < Double.POSITIVE_INFINITY)) {
      throw new IllegalArgumentException("a vector of length " + length + " has no direction");
    }
    float[] unit = new float[direction.length];
    for (int i = 0; i < unit.length; i++) {
      unit[i] = (float) (direction[i] / length);
    }
    return new Embedding(unit);
  }

  /**
   * The direction of their weighted mean.
   *
   * @param parts at least one, of the same dimensions
   * @param weights one of each, positive
   * @throws IllegalArgumentException if they cancel out
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

  public int dimensions() {
    return values.length;
  }

  /** A copy of the components. */
  public float[] toArray() {
    return values.clone();
  }

  /**
   * Cosine of the angle between the two, in [-1, 1] up to rounding.
   *
   * @throws IllegalArgumentException if they differ in dimensions
   */
  public double cosine(Embedding other) {
    if (values.length != other.values.length) {
      throw new IllegalArgumentException(
          values.length + " and " + other.values.length + " dimensions do not compare");
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
