package dev.abacus.schemas.plan;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An implementation of a logical operator: a technique with its models and parameters (paper,
 * section 4.1). A value; the data plane holds the code that executes it. A technique with
 * parameters that are learnt from samples is a {@link Learnable}.
 */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "technique")
public sealed interface PhysicalOperator extends Comparable<PhysicalOperator>
    permits PhysicalOperator.Learnable,
        PhysicalOperator.WithExamples,
        PhysicalOperator.SingleModel,
        MixtureOfAgents,
        CritiqueAndRefine,
        SplitAndMerge,
        CompressedContext,
        Gleaning,
        TopKSearch,
        Relational {

  /**
   * Identifies the implementation by technique and parameters, without learnt parameters. Stable
   * across versions: observations and priors refer to it. Its order breaks ties.
   */
  @JsonIgnore
  String id();

  /** Names of the chat models that it calls, in order of the calls; empty if it calls none. */
  @JsonIgnore
  default List<String> chatModels() {
    return List.of();
  }

  /** Number of labelled examples that its prompts show. */
  @JsonIgnore
  default int examples() {
    return 0;
  }

  /** The largest number of documents that share a call, at least 1. */
  @JsonIgnore
  default int documentsPerCall() {
    return 1;
  }

  /**
   * Whether its call shows a document whole, as {@link ModelSelection} does.
   *
   * @param texts number of texts that the operator reads of the document
   * @param bytes of these texts in UTF-8, of which a model makes at most as many tokens
   */
  default boolean showsWhole(int texts, long bytes) {
    return false;
  }

  /**
   * Whether {@code other} is this implementation. An untrained {@link Learnable} matches each of
   * its trained forms.
   */
  default boolean matches(PhysicalOperator other) {
    return equals(other);
  }

  @Override
  default int compareTo(PhysicalOperator other) {
    return id().compareTo(other.id());
  }

  /**
   * A technique whose parameters are learnt from the evidence of samples ({@link
   * dev.abacus.schemas.observation.Evidence}) and travel inside the plan, so that execution is
   * deterministic. Samples are drawn with the untrained form.
   *
   * <p>The hierarchy is sealed: code that collects evidence, learns parameters or executes them
   * switches over it, and the compiler reports a case that is missing.
   */
  sealed interface Learnable extends PhysicalOperator permits Cascade, EmbeddingJoin {

    /** Prefix of {@link #features} that are the answer of a chat model. */
    String ANSWER_OF = "answer:";

    /**
     * Identifies the features that it decides by: the name of an embedding model of the catalogue,
     * or {@code answer:MODEL} for the answer of a chat model and its probability. Implementations
     * of an operator with the same features learn from the same evidence.
     */
    String features();

    /** Names of the chat models that compute the features; empty if an embedding model does. */
    default List<String> featureModels() {
      return List.of();
    }

    /** Whether it holds learnt parameters. Without them a model answers every input. */
    @JsonIgnore
    boolean isTrained();

    @Override
    default boolean matches(PhysicalOperator other) {
      return equals(other) || (!isTrained() && id().equals(other.id()));
    }
  }

  /**
   * A technique whose prompts may show solved examples. The plan or the sample contains them, so
   * that execution is deterministic; {@link #examples} is 0 if it shows none.
   */
  sealed interface WithExamples extends PhysicalOperator
      permits FewShot, NestedLoopsJoin, EmbeddingJoin {

    /**
     * The examples; null until they are chosen. In a sample, none of them is about the measured
     * example.
     */
    @Nullable List<SolvedExample> shown();

    /** The same implementation with these examples. */
    WithExamples with(List<SolvedExample> solved);

    @Override
    default boolean matches(PhysicalOperator other) {
      return equals(other) || (shown() == null && id().equals(other.id()));
    }

    /** Number of examples that a plan contains: one may be about the document at hand. */
    @JsonIgnore
    default int stored() {
      return examples() + 1;
    }

    /** Whether it shows examples that are not chosen yet. */
    @JsonIgnore
    default boolean lacksExamples() {
      return examples() > 0 && shown() == null;
    }
  }

  /** A technique in which a classifier answers if it is confident and a model answers the rest. */
  sealed interface Cascade extends Learnable permits LearnedCascade, ModelCascade {

    /** Name of the model that answers the inputs about which the classifier is not confident. */
    String model();

    /** Precision that the classifier's own answers must reach, in (0, 1). */
    double target();

    /** The classifier; null until it is trained, and until then the model answers every input. */
    @Nullable TrainedClassifier classifier();

    /** The same cascade with a trained classifier. */
    Cascade with(TrainedClassifier trained);

    @Override
    default boolean isTrained() {
      return classifier() != null;
    }
  }

  /** A technique that calls at most one chat model. */
  sealed interface SingleModel extends PhysicalOperator
      permits Ranking,
          Shortlisting,
          ModelSelection,
          FewShot,
          ReducedContext,
          HeadAndTail,
          TupleBatch,
          ConditionByCondition,
          LearnedCascade,
          NestedLoopsJoin,
          EmbeddingJoin,
          SemanticAggregation {

    /** Name of the model in the catalogue. */
    String model();

    @Override
    default List<String> chatModels() {
      return List.of(model());
    }
  }

  /** Orders the items of a list by calls of one model. */
  sealed interface Ranking extends SingleModel
      permits PointwiseRanking, ListwiseRanking, PairwiseRanking {

    /** The greatest number of items that one call shows. */
    int shown();

    /** An upper estimate of the number of calls that find the best {@code kept} of some items. */
    int calls(int items, int kept);
  }

  /**
   * Searches a reference with an embedding model; calls of one model decide about the items found
   * and no others.
   */
  sealed interface Shortlisting extends SingleModel permits Resolution, ChoiceJoin {

    /** Name of the embedding model in the catalogue. */
    String embedder();

    /** The greatest number of items that the search finds, at least 1. */
    int k();
  }

  /** Chooses the item that is the same entity. */
  sealed interface Resolution extends Shortlisting permits PairwiseResolution, ChoiceResolution {}
}
