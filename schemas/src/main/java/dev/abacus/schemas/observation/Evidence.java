package dev.abacus.schemas.observation;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.JsonTypeName;
import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a sample taught beside its score: from it, thresholds and classifiers are learnt. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "kind")
@JsonSubTypes({
  @JsonSubTypes.Type(Evidence.Pairs.class),
  @JsonSubTypes.Type(Evidence.Embedded.class),
  @JsonSubTypes.Type(Evidence.Conditions.class)
})
public sealed interface Evidence {

  /**
   * Pairs of a join.
   *
   * @param seconds that embedding took: all that pairs decided without a call would have taken;
   *     null if nobody measured it
   */
  @JsonTypeName("pairs")
  @JsonInclude(JsonInclude.Include.NON_NULL)
  record Pairs(List<Pair> pairs, @Nullable Double seconds) implements Evidence {
    public Pairs {
      pairs = List.copyOf(pairs);
    }

    /** Of which nobody measured how long embedding took. */
    public Pairs(List<Pair> pairs) {
      this(pairs, null);
    }
  }

  /**
   * One pair of a join.
   *
   * @param similarity cosine of the two embeddings, in [-1, 1]
   * @param match whether the pair belongs together
   * @param labelled whether a label said so; else the model did
   */
  record Pair(double similarity, boolean match, boolean labelled) {}

  /**
   * An input and its answer.
   *
   * @param embedder which embedding model
   * @param embedding little-endian 32-bit floats in Base64
   * @param answer the right answer: {@code true} or {@code false} of a filter, a field's value of a
   *     map
   * @param labelled whether a label said so; else the model did
   * @param seconds that embedding took: all that an answer without a call would have taken; null if
   *     nobody measured it
   */
  @JsonTypeName("embedded")
  @JsonInclude(JsonInclude.Include.NON_NULL)
  record Embedded(
      String embedder,
      String embedding,
      JsonNode answer,
      boolean labelled,
      @Nullable Double seconds)
      implements Evidence {

    /** Of which nobody measured how long embedding took. */
    public Embedded(String embedder, String embedding, JsonNode answer, boolean labelled) {
      this(embedder, embedding, answer, labelled, null);
    }
  }

  /**
   * The conditions of a filter, one by one.
   *
   * @param asked in the order of the filter; shorter than that if one did not hold
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
   * @param holds what the model said
   * @param cost USD
   * @param latency seconds
   */
  record Condition(boolean holds, double cost, double latency) {}
}
