package dev.abacus.topology.reference.index;

import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

/** Vectors to test with: unit vectors in clusters, as embeddings of texts are. */
public final class Vectors {

  private Vectors() {}

  /** As many vectors, about a hundred to a cluster. */
  public static List<float[]> clustered(int size, int dimensions, RandomGenerator random) {
    List<float[]> centres = new ArrayList<>();
    for (int i = 0; i < Math.max(1, size / 100); i++) {
      centres.add(direction(dimensions, random));
    }
    List<float[]> vectors = new ArrayList<>();
    for (int i = 0; i < size; i++) {
      vectors.add(beside(centres.get(random.nextInt(centres.size())), 1, random));
    }
    return vectors;
  }

  /** Queries near some of the vectors. */
  public static List<float[]> near(List<float[]> vectors, int count, RandomGenerator random) {
    List<float[]> queries = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      queries.add(beside(vectors.get(random.nextInt(vectors.size())), 0.7f, random));
    }
    return queries;
  }

  /** A random unit vector. */
  public static float[] direction(int dimensions, RandomGenerator random) {
    float[] vector = new float[dimensions];
    for (int d = 0; d < dimensions; d++) {
      vector[d] = (float) random.nextGaussian();
    }
    return unit(vector);
  }

  private static float[] beside(float[] centre, float distance, RandomGenerator random) {
    float[] noise = direction(centre.length, random);
    float[] vector = new float[centre.length];
    for (int d = 0; d < vector.length; d++) {
      vector[d] = centre[d] + distance * noise[d];
    }
    return unit(vector);
  }

  /** The vector of that direction and length 1. */
  public static float[] unit(float... direction) {
    double squares = 0;
    for (float value : direction) {
      squares += (double) value * value;
    }
    float length = (float) Math.sqrt(squares);
    float[] unit = new float[direction.length];
    for (int i = 0; i < unit.length; i++) {
      unit[i] = direction[i] / length;
    }
    return unit;
  }
}
