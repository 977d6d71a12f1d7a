package dev.abacus.schemas.observation;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.JsonTypeName;
import com.fasterxml.jackson.databind.JsonNode;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import java.util.Base64;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Training data of a sample, from which thresholds and classifiers are learned. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "kind")
public sealed interface Evidence {

  /** The text form of a vector: little-endian 32-bit floats in Base64. */
  static String encode(float[] vector) {
    ByteBuffer bytes =
        ByteBuffer.allocate(vector.length * Float.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    bytes.asFloatBuffer().put(vector);
    return Base64.getEncoder().encodeToString(bytes.array());
  }

  /**
   * The vector of a text of {@link #encode}.
   *
   * @throws IllegalArgumentException if the text is not Base64
   */
  static float[] decode(String vector) {
    FloatBuffer floats =
        ByteBuffer.wrap(Base64.getDecoder().decode(vector))
            .order(ByteOrder.LITTLE_ENDIAN)
            .asFloatBuffer();
    float[] decoded = new float[floats.remaining()];
    floats.get(decoded);
    return decoded;
  }

  /**
   * Pairs of a join.
   *
   * @param seconds time of embedding, which is the latency of a decision without a model call; null
   *     if not measured
   */
  @JsonTypeName("pairs")
  @JsonInclude(JsonInclude.Include.NON_NULL)
  record Pairs(List<Pair> pairs, @Nullable Double seconds) implements Evidence {
    public Pairs {
      pairs = List.copyOf(pairs);
    }

    /** Pairs without a measured embedding time. */
    public Pairs(List<Pair> pairs) {
      this(pairs, null);
    }
  }

  /**
   * One pair of a join.
   *
   * @param item id of the item of the reference; null for a pair of two streams, or in evidence
   *     without a call of a model
   * @param similarity cosine of the two embeddings, in [-1, 1]; null if not measured
   * @param match whether the pair matches: by the label, else by the judge, else by the model; null
   *     if unknown
   * @param labelled whether {@code match} is a label
   * @param weight number of pairs of the document with the whole reference that this pair
   *     represents, in (0, ∞): the inverse of its probability to be drawn, scaled so that the
   *     weights of a document sum to the number of its pairs
   * @param answer the decision of the implementation; null if it was not asked
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  record Pair(
      @Nullable String item,
      @Nullable Double similarity,
      @Nullable Boolean match,
      boolean labelled,
      double weight,
      @Nullable Boolean answer) {

    public Pair {
      if (!(weight > 0 && weight < Double.POSITIVE_INFINITY)) {
        throw new IllegalArgumentException("weight " + weight + " of a pair is not a number > 0");
      }
    }

    /** This pair with another decision of the implementation. */
    public Pair withAnswer(boolean decision) {
      return new Pair(item, similarity, match, labelled, weight, decision);
    }

    /** This pair with the known result. */
    public Pair with(boolean known, boolean byLabel) {
      return new Pair(item, similarity, known, byLabel, weight, answer);
    }
  }

  /**
   * The features of an input and its answer.
   *
   * @param embedder name of the embedding model; {@code answer:MODEL} if the features are the
   *     answer of a model and its probability
   * @param embedding the features: little-endian 32-bit floats in Base64
   * @param answer the right answer: {@code true} or {@code false} of a filter, a field's value of a
   *     map
   * @param labelled whether the answer is a label; otherwise it is the answer of a model
   * @param seconds time to compute the features, which is the latency of an answer that they decide
   *     alone; null if not measured
   * @param usd cost of the features, part of the cost of the sample; null if they are free
   */
  @JsonTypeName("embedded")
  @JsonInclude(JsonInclude.Include.NON_NULL)
  record Embedded(
      String embedder,
      String embedding,
      JsonNode answer,
      boolean labelled,
      @Nullable Double seconds,
      @Nullable Double usd)
      implements Evidence {

    /** The same features with the right answer from a label. */
    public Embedded labelled(JsonNode label) {
      return new Embedded(embedder, embedding, label, true, seconds, usd);
    }
  }

  /**
   * The conditions of a filter, one by one.
   *
   * @param asked in the order of the filter; ends at the first condition that does not hold
   */
  @JsonTypeName("conditions")
  record Conditions(List<Condition> asked) implements Evidence {
    public Conditions {
      asked = List.copyOf(asked);
    }
  }

  /**
   * One condition of a filter.
   *
   * @param holds the answer of the model
   * @param cost USD
   * @param latency seconds
   */
  record Condition(boolean holds, double cost, double latency) {}
}
