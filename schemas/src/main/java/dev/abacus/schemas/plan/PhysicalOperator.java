package dev.abacus.schemas.plan;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.JsonTypeName;
import java.util.List;

/**
 * One way to carry out a logical operator: a technique with its models and parameters (paper,
 * section 4.1). A value only; the data plane knows how to run it.
 */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "technique")
@JsonSubTypes({
  @JsonSubTypes.Type(PhysicalOperator.ModelSelection.class),
  @JsonSubTypes.Type(PhysicalOperator.ReducedContext.class),
  @JsonSubTypes.Type(PhysicalOperator.Relational.class)
})
public sealed interface PhysicalOperator extends Comparable<PhysicalOperator> {

  /** Unique and stable: technique and parameters. Ties are broken by its order. */
  @JsonIgnore
  String id();

  /** Chat models that it calls, in order of the calls; empty if none. */
  @JsonIgnore
  List<String> chatModels();

  @Override
  default int compareTo(PhysicalOperator other) {
    return id().compareTo(other.id());
  }

  /** One call of one model at temperature 0 over the whole input. */
  @JsonTypeName("model-selection")
  record ModelSelection(String model) implements PhysicalOperator {
    @Override
    public String id() {
      return "model-selection(" + model + ")";
    }

    @Override
    public List<String> chatModels() {
      return List.of(model);
    }
  }

  /**
   * One call of one model over the {@code k} chunks of the input that are most similar to the
   * instruction.
   *
   * @param embedder name of an embedding model of the catalogue
   * @param chunkSize characters
   * @param k number of chunks
   */
  @JsonTypeName("reduced-context")
  record ReducedContext(String model, String embedder, int chunkSize, int k)
      implements PhysicalOperator {

    public ReducedContext {
      if (chunkSize < 1 || k < 1) {
        throw new IllegalArgumentException("chunkSize and k must be at least 1");
      }
    }

    @Override
    public String id() {
      return "reduced-context(%s,%s,chunk=%d,k=%d)".formatted(model, embedder, chunkSize, k);
    }

    @Override
    public List<String> chatModels() {
      return List.of(model);
    }
  }

  /** The one way to carry out an operator that needs no model: exact, free and instant. */
  @JsonTypeName("relational")
  record Relational() implements PhysicalOperator {
    @Override
    public String id() {
      return "relational";
    }

    @Override
    public List<String> chatModels() {
      return List.of();
    }
  }
}
