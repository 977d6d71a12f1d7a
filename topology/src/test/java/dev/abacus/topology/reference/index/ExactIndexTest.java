package dev.abacus.topology.reference.index;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.random.RandomGenerator;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The pass in floats must never lose a neighbour, for any kind of vectors. */
class ExactIndexTest {

  private static final int ROUNDS = 40;

  /** Distributions of vectors. */
  enum Kind {
    RANDOM {
      @Override
      float[] draw(int dimensions, RandomGenerator random) {
        return Vectors.direction(dimensions, random);
      }
    },
    /** Two values only: many vectors are equal or equally similar. */
    TIED {
      @Override
      float[] draw(int dimensions, RandomGenerator random) {
        float[] vector = new float[dimensions];
        for (int d = 0; d < dimensions; d++) {
          vector[d] = d < 3 && random.nextBoolean() ? 0.5f : -0.5f;
        }
        return vector;
      }
    },
    /** Vectors that differ only in the last bits of a float. */
    ALMOST_EQUAL {
      @Override
      float[] draw(int dimensions, RandomGenerator random) {
        float[] vector = Vectors.direction(dimensions, new Random(dimensions));
        vector[random.nextInt(dimensions)] += (random.nextInt(5) - 2) * 3e-7f;
        return vector;
      }
    },
    /** One component is much larger than the others. */
    LOPSIDED {
      @Override
      float[] draw(int dimensions, RandomGenerator random) {
        float[] vector = new float[dimensions];
        vector[0] = 1;
        for (int d = 1; d < dimensions; d++) {
          vector[d] = (float) random.nextGaussian() / 300;
        }
        return vector;
      }
    },
    /** Lengths from 0 to far above 1. */
    OF_ALL_LENGTHS {
      @Override
      float[] draw(int dimensions, RandomGenerator random) {
        float[] vector = Vectors.direction(dimensions, random);
        float length = random.nextInt(8) == 0 ? 0 : (float) Math.exp(random.nextGaussian() * 8);
        for (int d = 0; d < dimensions; d++) {
          vector[d] *= length;
        }
        return vector;
      }
    };

    abstract float[] draw(int dimensions, RandomGenerator random);
  }

  @ParameterizedTest
  @EnumSource(Kind.class)
  void findsTheSameAsAComparisonInDoubles(Kind kind) {
    Random random = new Random(kind.name().hashCode());
    for (int round = 0; round < ROUNDS; round++) {
      int dimensions = 1 + random.nextInt(40);
      int size = 1 + random.nextInt(900);
      Map<String, float[]> truth = new HashMap<>();
      ExactIndex index = new ExactIndex(dimensions);
      for (int i = 0; i < size; i++) {
        float[] vector = kind.draw(dimensions, random);
        truth.put("item-" + i, vector);
        index.put("item-" + i, vector);
      }
      float[] query = kind.draw(dimensions, random);
      List<Neighbour> all = index.atLeast(query, Double.NEGATIVE_INFINITY);
      agree(all, truth, query);
      int k = 1 + random.nextInt(30);
      assertThat(index.nearest(query, k)).isEqualTo(all.stream().limit(k).toList());
      double least = all.get(random.nextInt(all.size())).similarity();
      assertThat(index.atLeast(query, least))
          .isEqualTo(all.stream().filter(one -> one.similarity() >= least).toList());
    }
  }

  private static void agree(List<Neighbour> all, Map<String, float[]> truth, float[] query) {
    assertThat(all).hasSameSizeAs(truth.keySet()).isSortedAccordingTo(Neighbour.BEST_FIRST);
    for (Neighbour neighbour : all) {
      float[] vector = Objects.requireNonNull(truth.get(neighbour.key()));
      double sum = 0;
      double magnitude = 0;
      for (int d = 0; d < query.length; d++) {
        sum += (double) query[d] * vector[d];
        magnitude += Math.abs((double) query[d] * vector[d]);
      }
      assertThat(neighbour.similarity()).isCloseTo(sum, within(1e-13 * magnitude));
    }
  }

  @ParameterizedTest
  @EnumSource(Kind.class)
  void ignoresVectorsWithoutAFiniteSimilarity(Kind kind) {
    Random random = new Random(7);
    ExactIndex index = new ExactIndex(12);
    for (int i = 0; i < 300; i++) {
      float[] vector = kind.draw(12, random);
      if (i % 10 == 0) {
        vector[random.nextInt(12)] = i % 20 == 0 ? Float.NaN : Float.POSITIVE_INFINITY;
      }
      index.put("item-" + i, vector);
    }
    float[] query = kind.draw(12, random);
    assertThat(index.nearest(query, 25))
        .isEqualTo(index.atLeast(query, Double.NEGATIVE_INFINITY).stream().limit(25).toList())
        .noneMatch(neighbour -> Double.isNaN(neighbour.similarity()));
  }
}
