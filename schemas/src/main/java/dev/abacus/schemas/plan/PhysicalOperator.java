package dev.abacus.schemas.plan;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.JsonTypeName;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One way to carry out a logical operator: a technique with its models and parameters (paper,
 * section 4.1). A value only; the data plane knows how to run it.
 */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "technique")
@JsonSubTypes({
  @JsonSubTypes.Type(PhysicalOperator.ModelSelection.class),
  @JsonSubTypes.Type(PhysicalOperator.ReducedContext.class),
  @JsonSubTypes.Type(PhysicalOperator.MixtureOfAgents.class),
  @JsonSubTypes.Type(PhysicalOperator.CritiqueAndRefine.class),
  @JsonSubTypes.Type(PhysicalOperator.HeadAndTail.class),
  @JsonSubTypes.Type(PhysicalOperator.SplitAndMerge.class),
  @JsonSubTypes.Type(PhysicalOperator.CompressedContext.class),
  @JsonSubTypes.Type(PhysicalOperator.Gleaning.class),
  @JsonSubTypes.Type(PhysicalOperator.TupleBatch.class),
  @JsonSubTypes.Type(PhysicalOperator.ConditionByCondition.class),
  @JsonSubTypes.Type(PhysicalOperator.LearnedCascade.class),
  @JsonSubTypes.Type(PhysicalOperator.TopKSearch.class),
  @JsonSubTypes.Type(PhysicalOperator.NestedLoopsJoin.class),
  @JsonSubTypes.Type(PhysicalOperator.EmbeddingJoin.class),
  @JsonSubTypes.Type(PhysicalOperator.SemanticAggregation.class),
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
      requireAtLeastOne("chunkSize", chunkSize);
      requireAtLeastOne("k", k);
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

  /**
   * Several models propose answers side by side; one more sees the document and the proposals, and
   * answers (paper, section 4.1).
   *
   * @param proposers one to three models, in the order of their names
   * @param temperature of the proposers, in [0, 2]
   */
  @JsonTypeName("mixture-of-agents")
  record MixtureOfAgents(List<String> proposers, double temperature, String aggregator)
      implements PhysicalOperator {
    public MixtureOfAgents {
      proposers = List.copyOf(proposers);
      if (proposers.isEmpty()) {
        throw new IllegalArgumentException("a mixture of agents needs a proposer");
      }
      requireWithin("temperature", temperature, 0, 2);
    }

    @Override
    public String id() {
      return "mixture-of-agents(%s,t=%s,%s)"
          .formatted(String.join("+", proposers), temperature, aggregator);
    }

    @Override
    public List<String> chatModels() {
      List<String> models = new ArrayList<>(proposers);
      models.add(aggregator);
      return models;
    }
  }

  /** One model answers, one criticises the answer, one corrects it (paper, section 4.1). */
  @JsonTypeName("critique-and-refine")
  record CritiqueAndRefine(String generator, String critic, String refiner)
      implements PhysicalOperator {
    @Override
    public String id() {
      return "critique-and-refine(%s,%s,%s)".formatted(generator, critic, refiner);
    }

    @Override
    public List<String> chatModels() {
      return List.of(generator, critic, refiner);
    }
  }

  /**
   * One call of one model over the beginning and the end of long texts.
   *
   * @param characters how many are kept of each text, half of them from its end
   */
  @JsonTypeName("head-and-tail")
  record HeadAndTail(String model, int characters) implements PhysicalOperator {
    public HeadAndTail {
      requireAtLeastOne("characters", characters);
    }

    @Override
    public String id() {
      return "head-and-tail(%s,%d)".formatted(model, characters);
    }

    @Override
    public List<String> chatModels() {
      return List.of(model);
    }
  }

  /**
   * The question is asked of every chunk of a long document, and the answers are merged by one more
   * call; a document of one chunk takes one call.
   *
   * @param chunkSize characters
   */
  @JsonTypeName("split-and-merge")
  record SplitAndMerge(String model, int chunkSize, String merger) implements PhysicalOperator {
    public SplitAndMerge {
      requireAtLeastOne("chunkSize", chunkSize);
    }

    @Override
    public String id() {
      return "split-and-merge(%s,chunk=%d,%s)".formatted(model, chunkSize, merger);
    }

    @Override
    public List<String> chatModels() {
      return List.of(model, merger);
    }
  }

  /** One model writes down what bears on the question; another answers from that alone. */
  @JsonTypeName("compressed-context")
  record CompressedContext(String compressor, String model) implements PhysicalOperator {
    @Override
    public String id() {
      return "compressed-context(%s,%s)".formatted(compressor, model);
    }

    @Override
    public List<String> chatModels() {
      return List.of(compressor, model);
    }
  }

  /**
   * One model answers; another says what is missing; the first is asked again for that, until
   * nothing is missing or the rounds are over.
   *
   * @param rounds at most this many second looks, at least 1
   */
  @JsonTypeName("gleaning")
  record Gleaning(String model, String checker, int rounds) implements PhysicalOperator {
    public Gleaning {
      requireAtLeastOne("rounds", rounds);
    }

    @Override
    public String id() {
      return "gleaning(%s,%s,rounds=%d)".formatted(model, checker, rounds);
    }

    @Override
    public List<String> chatModels() {
      return List.of(model, checker);
    }
  }

  /**
   * Several documents in one call; an answer that is missing or invalid is asked for alone.
   *
   * @param size at most this many documents per call, at least 2
   */
  @JsonTypeName("tuple-batch")
  record TupleBatch(String model, int size) implements PhysicalOperator {
    public TupleBatch {
      if (size < 2) {
        throw new IllegalArgumentException("a batch holds at least 2 documents, not " + size);
      }
    }

    @Override
    public String id() {
      return "tuple-batch(%s,%d)".formatted(model, size);
    }

    @Override
    public List<String> chatModels() {
      return List.of(model);
    }
  }

  /** The conditions of a conjunctive filter one after the other, until one does not hold. */
  @JsonTypeName("condition-by-condition")
  record ConditionByCondition(String model) implements PhysicalOperator {
    @Override
    public String id() {
      return "condition-by-condition(" + model + ")";
    }

    @Override
    public List<String> chatModels() {
      return List.of(model);
    }
  }

  /**
   * A classifier on embeddings answers when it is sure, a model the rest.
   *
   * @param target the share of right answers among those that the classifier gives alone, in (0, 1)
   * @param classifier null until it is trained; then the model answers all
   */
  @JsonTypeName("learned-cascade")
  record LearnedCascade(
      String model,
      String embedder,
      double target,
      @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable TrainedClassifier classifier)
      implements PhysicalOperator {
    public LearnedCascade {
      requireWithin("target", target, 0, 1);
    }

    @Override
    public String id() {
      return "learned-cascade(%s,%s,target=%s)".formatted(model, embedder, target);
    }

    @Override
    public List<String> chatModels() {
      return List.of(model);
    }
  }

  /** The k most similar items of a reference (paper, section 4.1). */
  @JsonTypeName("top-k")
  record TopKSearch(String embedder, int k) implements PhysicalOperator {
    public TopKSearch {
      requireAtLeastOne("k", k);
    }

    @Override
    public String id() {
      return "top-k(%s,k=%d)".formatted(embedder, k);
    }

    @Override
    public List<String> chatModels() {
      return List.of();
    }
  }

  /** A model is asked about every pair (paper, section 4.1). */
  @JsonTypeName("nested-loops-join")
  record NestedLoopsJoin(String model) implements PhysicalOperator {
    @Override
    public String id() {
      return "nested-loops-join(" + model + ")";
    }

    @Override
    public List<String> chatModels() {
      return List.of(model);
    }
  }

  /**
   * Pairs below {@code low} are rejected and pairs above {@code high} accepted by the similarity of
   * their embeddings; a model is asked about those between (paper, section 4.1).
   *
   * @param low cosine; null until it is learnt, then nothing is rejected unasked
   * @param high cosine; null until it is learnt, then nothing is accepted unasked
   */
  @JsonTypeName("embedding-join")
  record EmbeddingJoin(
      String model,
      String embedder,
      @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Double low,
      @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Double high)
      implements PhysicalOperator {
    public EmbeddingJoin {
      if (low != null && high != null && low > high) {
        throw new IllegalArgumentException("low " + low + " is above high " + high);
      }
    }

    @Override
    public String id() {
      return "embedding-join(%s,%s)".formatted(model, embedder);
    }

    @Override
    public List<String> chatModels() {
      return List.of(model);
    }
  }

  /** A model reads a group; a group larger than its context in parts, whose answers it merges. */
  @JsonTypeName("semantic-aggregation")
  record SemanticAggregation(String model) implements PhysicalOperator {
    @Override
    public String id() {
      return "semantic-aggregation(" + model + ")";
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

  private static void requireAtLeastOne(String name, int value) {
    if (value < 1) {
      throw new IllegalArgumentException(name + " " + value + " must be at least 1");
    }
  }

  private static void requireWithin(String name, double value, double least, double most) {
    if (!(value >= least && value <= most)) {
      throw new IllegalArgumentException(
          "%s %s is not in [%s, %s]".formatted(name, value, least, most));
    }
  }
}
